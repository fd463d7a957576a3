isomer explore --json --level sqlite:IMMEDIATE --set journal=wal,busy_timeout=false tests/corpus/cli/tickets.toml | head -30
