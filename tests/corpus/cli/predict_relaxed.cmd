isomer predict --level causal --strategy approx-relaxed --run examples/apps/shopping_cart/lost_addition.toml --validate
