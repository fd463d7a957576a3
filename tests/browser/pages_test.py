#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens every page of the tour (tools/demo) in a real browser, wide, as a phone, and in the
dark.  Usage: pages_test.py BINARY [FOLDER]; a FOLDER keeps the pages, and screenshots of them.
Ends with status 77, which means skipped, if there is no Chromium."""
import os
import subprocess
import sys
import tempfile

import chromium

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
WIDE, PHONE = 1200, 390

# What the page of each file must say.
SAYS = {
    "index.html": "The night when nobody was on call",
    "explore.html": 'invariant "somebody is on call" is broken',
    "check.html": "write skew: SER forbids it",
    "synth.html": "found a history that SI allows and SER forbids",
    "compare.html": "SI is weaker than SER",
    "levels.html": "How the levels relate",
    "verify.html": "the weakest level that suffices: SER",
    "any.html": "the weakest level that suffices: SER",
    "predict.html": "lost update on ward/1",
    "audit.html": "write skew",
    "advise.html": "go_home at SERIALIZABLE",
    "fixed.html": "serializable",
    "large.html": "long fork",
    "postgresql.html": "reproduced on PostgreSQL",
}
WITHOUT_CYCLE = {"advise.html", "fixed.html"}  # that is not folded away

# For each arrow of a cycle, whether some of it is where the reader sees it without scrolling
# sideways: inside the page and inside the figure that holds the picture.
CYCLE_ARROWS = """[...document.querySelectorAll(".arrow.cycle .line")].filter(
  (line) => line.closest("details:not([open])") === null).map((line) => {
  const arrow = line.getBoundingClientRect();
  const figure = line.closest("figure").getBoundingClientRect();
  return Math.max(arrow.width, arrow.height) > 5 && arrow.left < Math.min(figure.right, innerWidth)
    && arrow.right > Math.max(figure.left, 0) && getComputedStyle(line).stroke !== "none";
})"""

PICTURES_WITHOUT_TEXT = """[...document.querySelectorAll("svg")].filter((svg) =>
  !svg.getAttribute("role") || !svg.getAttribute("aria-label")).length"""

LINKS = """[...document.querySelectorAll("a[href]")].map((a) => a.getAttribute("href"))"""


def troubles_of(browser, folder, file, screenshots):
    """What is wrong with a page, as a list of sentences."""
    path = os.path.join(folder, file)
    out = []
    grounds = {}
    for name, width, scheme in (("wide", WIDE, "light"), ("phone", PHONE, "light"),
                                ("dark", WIDE, "dark")):
        out += [f"{name}: {trouble}" for trouble in browser.open(path, width, scheme)]
        grounds[name] = browser.value("getComputedStyle(document.body).backgroundColor")
        if (real := browser.value("document.documentElement.scrollWidth")) > width:
            out.append(f"{name}: {real} pixels wide, and there are {width}")
        arrows = browser.value(CYCLE_ARROWS)
        if file not in WITHOUT_CYCLE and not arrows:
            out.append(f"{name}: there is no cycle")
        elif not all(arrows[:2]):
            out.append(f"{name}: the cycle cannot be seen")
        if screenshots:
            browser.screenshot(os.path.join(folder, f"{file.removesuffix('.html')}-{name}.png"))
    if SAYS[file] not in browser.value("document.body.innerText"):
        out.append(f"does not say '{SAYS[file]}'")
    if not browser.value("document.querySelector('h1').innerText"):
        out.append("has no heading")
    if grounds["wide"] == grounds["dark"]:
        out.append("is as light in the dark")
    if count := browser.value(PICTURES_WITHOUT_TEXT):
        out.append(f"{count} pictures have no text")
    for link in browser.value(LINKS):
        if not link.startswith("#") and not os.path.exists(os.path.join(folder, link)):
            out.append(f"leads to {link}, which does not exist")
    return out


def main(binary, folder, screenshots):
    program = chromium.find()
    if program is None:
        print("skipped: there is no Chromium to look at the pages with (chromium-headless-shell)")
        return 77
    tour = subprocess.run([os.path.join(ROOT, "tools", "demo"), binary, folder],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if tour.returncode != 0:
        print(tour.stdout)
        return 1
    pages = sorted(name for name in os.listdir(folder) if name.endswith(".html"))
    failures = [f"the tour makes no {name}" for name in SAYS if name not in pages]
    failures += [f"nobody says what {name} must say" for name in pages if name not in SAYS]
    browser = chromium.Browser(program)
    try:
        for page in SAYS:
            if page in pages:
                failures += [f"{page}: {t}" for t in troubles_of(browser, folder, page, screenshots)]
    finally:
        browser.close()
    print("\n".join(failures) if failures else f"{len(pages)} pages are as they should be")
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) > 2:
        os.makedirs(sys.argv[2], exist_ok=True)
        sys.exit(main(sys.argv[1], sys.argv[2], screenshots=True))
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(main(sys.argv[1], scratch, screenshots=False))
