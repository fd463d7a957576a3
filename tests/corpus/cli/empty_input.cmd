isomer check - < /dev/null
