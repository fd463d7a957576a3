isomer show examples/withdraw.toml
