isomer explore --level pg:RR tests/corpus/database/cases/read_only_anomaly.toml --dot -
