isomer explore --level pg:RC tests/corpus/cli/lock_that_stays.toml
