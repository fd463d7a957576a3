isomer explore tests/corpus/cli/unset_symbol.toml --level SI
