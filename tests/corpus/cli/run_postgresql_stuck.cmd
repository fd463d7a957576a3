isomer run --level pg:RC --schedule "ann bob ann" tests/corpus/cli/lock_that_stays.toml
