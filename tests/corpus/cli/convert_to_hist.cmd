isomer convert --to hist examples/registers.txt
