isomer verify --level SI --dump $SCRATCH/kept examples/apps/simple_bank/write_skew.toml > /dev/null; sed -E 's/[0-9.]+ (s|conflicts|assertions)/.. \1/g' $SCRATCH/kept/index.txt
