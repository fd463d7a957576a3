isomer run --level SQLite:immediate --set busy_timeout=false --schedule "ann bob" tests/corpus/cli/tickets.toml
