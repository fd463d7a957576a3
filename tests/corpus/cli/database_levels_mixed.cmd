isomer show tests/corpus/cli/mixed_levels.toml
