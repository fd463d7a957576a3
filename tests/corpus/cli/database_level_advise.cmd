isomer advise --levels pg:RC,pg:SER tests/corpus/cli/guarded.sql
