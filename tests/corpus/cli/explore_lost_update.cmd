isomer explore examples/apps/shopping_cart/lost_addition.toml
