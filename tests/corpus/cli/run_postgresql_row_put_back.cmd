isomer run --level pg:RC --schedule "s1 s1 s2 s1 s2 s2" tests/corpus/database/cases/epq_replace.toml | grep "as a history"
