isomer run --schedule "ann cid bob ann ann cid ann" tests/corpus/cli/tickets_mixed.toml
