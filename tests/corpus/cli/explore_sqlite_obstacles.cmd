isomer explore --level sqlite:IMMEDIATE tests/corpus/cli/guarded.toml
