isomer predict --level causal --strategy approx-relaxed --run examples/apps/simple_bank/write_skew.toml --validate
