isomer explore --level pg:RC tests/corpus/cli/between_snapshot_and_lock.toml
