isomer run --level pg:RC --runs 3 -o run.hist examples/apps/simple_bank/write_skew.toml
