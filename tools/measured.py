# SPDX-License-Identifier: MIT
"""What the benchmarks share: where and when something was measured, and where it is kept."""
import datetime
import json
import os
import platform
import re
import resource
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def cpu_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = re.search(r"model name\s*: (.*)", file.read())
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {"cpu": model.group(1) if model else platform.machine(),
            "cores": os.cpu_count(), "memory_gib": round(pages / 2**30)}


def commit():
    return subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True,
                          text=True, check=False).stdout.strip()


def path_of(build, suite):
    return os.path.join(build, "bench.json" if suite == "bench" else f"bench-{suite}.json")


def save(build, suite, document):
    """Keeps what was measured, with where and when."""
    stamped = {"commit": commit(), "machine": machine(),
               "date": datetime.date.today().isoformat(), **document}
    with open(path_of(build, suite), "w", encoding="utf-8") as file:
        json.dump(stamped, file, indent=1)
        file.write("\n")


def load(build, suite):
    """What was kept, or None."""
    try:
        with open(path_of(build, suite), encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None
