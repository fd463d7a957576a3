isomer run --json tests/corpus/cli/unset.toml 2> /dev/null
