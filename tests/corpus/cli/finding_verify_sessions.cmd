isomer verify --level CC examples/apps/auction_v2/auction_v2.toml | head -4; isomer verify --level CC --encoding paper examples/apps/auction_v2/auction_v2.toml | head -9
