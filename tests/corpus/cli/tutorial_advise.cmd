isomer advise --database postgresql examples/tutorial/clinic.sql
