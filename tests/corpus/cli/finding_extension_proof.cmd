isomer check --level RA examples/papers/dpor/extension_proof.hist; isomer check --level RA examples/papers/dpor/extension_repaired.hist
