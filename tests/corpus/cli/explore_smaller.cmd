isomer explore examples/apps/courseware/capacity.toml --level SI --find failing
