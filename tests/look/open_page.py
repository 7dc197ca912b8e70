#!/usr/bin/env python3
"""How long a page of --report takes to open: prints its exact changes and the least seconds of five.

Usage: open_page.py PAGE.html
"""
import pathlib
import sys

import browser

CHANGES = """tesssim.runs.reduce((n, run) => n + [...run.tracks.values()]
  .reduce((m, track) => m + (track.times?.length ?? 0), 0), 0)"""

page = browser.Browser()
try:
    path = pathlib.Path(sys.argv[1]).resolve()
    seconds = min(page.open(path) for _ in range(5))
    print(page.evaluate(CHANGES), f"{seconds:.2f}")
finally:
    page.close()
