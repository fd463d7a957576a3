cut -d, -f1,3,10 --output-delimiter=' ' tests/corpus/program/expected.csv | sed -n 2,18p
