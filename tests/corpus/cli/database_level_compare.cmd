isomer compare SI sqlite:IMMEDIATE
