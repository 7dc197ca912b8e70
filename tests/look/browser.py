"""A headless Chromium, driven through its debugging pipe: no packages besides Chromium itself."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-dev-shm-usage", "--remote-debugging-pipe", "--window-size=1280,900"]


def find_chromium():
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """One page. What goes wrong in it is kept in `complaints`, what it loads in `requests`."""

    def __init__(self):
        self.profile = tempfile.mkdtemp()
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()

        def set_up():  # Chromium reads commands from 3 and writes answers to 4
            ends = os.dup(to_read), os.dup(from_write)
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(
            [find_chromium(), *FLAGS, f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=set_up, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.buffer = b""
        self.last_id = 0
        self.session = None
        self.complaints, self.requests = [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Log", "Page", "Network"):
            self.call(domain + ".enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to_write)
        os.close(self.from_read)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.from_read, 1 << 20)
            if not piece:
                raise RuntimeError("Chromium has ended")
            self.buffer += piece
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def note(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(params["exceptionDetails"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.complaints.append(params["args"])
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.complaints.append(params["entry"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def call(self, method, **params):
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.last_id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def open(self, path, seconds=60):
        """Loads the page; returns how long it took until it was drawn."""
        begin = time.monotonic()
        self.call("Page.navigate", url=path.as_uri())
        while self.evaluate("document.documentElement?.dataset.ready") != "yes":
            if self.complaints or time.monotonic() - begin > seconds:
                raise RuntimeError(f"the page does not get ready: {self.complaints}")
            time.sleep(0.05)
        return time.monotonic() - begin

    def click(self, selector):
        """With the mouse, where the element is on the screen."""
        x, y = self.place(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def place(self, selector, across=0.5):
        return self.evaluate(f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{block: "center"}});
            const box = element.getBoundingClientRect();
            return [box.left + box.width * {across}, box.top + box.height / 2];
        }})()""")

    def drag(self, selector, first, last):
        (x0, y), (x1, _) = self.place(selector, first), self.place(selector, last)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x0, y=y)
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=x0, y=y, button="left",
                  buttons=1, clickCount=1)
        for step in range(1, 6):
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x0 + (x1 - x0) * step / 5,
                      y=y, button="left", buttons=1)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=x1, y=y, button="left",
                  clickCount=1)

    def press(self, key, code=None):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key,
                      **({"text": key} if kind == "keyDown" and len(key) == 1 else {}))


class PageTest(unittest.TestCase):
    """Pages of one folder in one browser; a page that complains or loads anything fails its test."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.page = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.page.close()
        shutil.rmtree(cls.folder)

    def tearDown(self):
        self.assertEqual(self.page.complaints, [])
        self.assertEqual([url for url in self.page.requests if not url.startswith(("file:", "data:"))],
                         [])
