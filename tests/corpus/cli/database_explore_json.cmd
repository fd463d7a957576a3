isomer explore --json --level SI tests/corpus/cli/guarded.toml 2> /dev/null | head -1
