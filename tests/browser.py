"""A headless Chromium, and what its pages asked for and look like."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.image import imread
from selenium import webdriver

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
DRIVER = shutil.which("chromedriver")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--window-size=1280,1400"),
)
# Addresses of what is in the page itself or on this disk.
HERE = ("file:", "data:", "blob:", "about:")


def absent() -> str:
    """Why there is no browser, empty if there is one."""
    if BROWSER and DRIVER:
        return ""
    missing = "Chromium" if not BROWSER else "chromedriver"
    return f"no {missing} on the PATH (Debian: apt-get install chromium chromium-driver)"


def start(profile: Path) -> webdriver.Chrome:
    """A browser with an empty profile that keeps what its console and network say."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(BROWSER)
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options, webdriver.ChromeService(executable_path=DRIVER))


def complaints(browser: webdriver.Chrome) -> list[Any]:
    """What the console has had to complain of since it was last asked."""
    return [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


def asked_of_others(browser: webdriver.Chrome) -> list[str]:
    """Addresses elsewhere that were asked for anything since this was last called."""
    events = (json.loads(entry["message"])["message"] for entry in browser.get_log("performance"))
    asked = (
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    )
    return [address for address in asked if not address.startswith(HERE)]


def drawn(screenshot: Path) -> float:
    """The share of a PNG's pixels that are not of its commonest colour: 0 if it is blank."""
    assert screenshot.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    pixels = (imread(screenshot)[..., :3] * 255).astype(np.int64) @ (1, 256, 256**2)
    return 1 - np.unique(pixels, return_counts=True)[1].max() / pixels.size
