isomer compare RC plume:RC --scope 3,2,3 --prove
