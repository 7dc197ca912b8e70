#!/usr/bin/env bash
# Long work says on standard error how far it is and how long it will take, when that is a terminal,
# and wipes its line; otherwise it says nothing. Results are not touched.
. "${0%/*}/lib.sh"

/usr/bin/env python3 - "$TESSSIM" <<'END' || fail "not the progress that was expected"
import os
import pty
import re
import subprocess
import sys
import threading

SWEEP = ["sweep", "scenarios/mixed_tf.json", "--set", "patches=2000", "--vary", "seed=1:600", "-j", "1",
         "--metrics", "elapsed_cycles", "--format", "json"]
RUN = ["run", "scenarios/high_tf.json", "--set", "patches=180000", "--format", "json"]


def on_terminal(words, **environment):
    leader, follower = pty.openpty()
    process = subprocess.Popen([sys.argv[1], *words], stdout=subprocess.PIPE, stderr=follower,
                               stdin=subprocess.DEVNULL, env=os.environ | environment)
    os.close(follower)
    said = b""
    output = []
    reader = threading.Thread(target=lambda: output.append(process.stdout.read()))
    reader.start()
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        said += piece
    reader.join()
    assert process.wait() == 0, said
    return output[0], said.decode()


for words, name in ((SWEEP, "sweep"), (RUN, "tesssim")):
    output, said = on_terminal(words, TERM="xterm")
    shares = [int(share) for share in re.findall(rf"\r\x1b\[K{name}: (\d+) %", said)]
    assert shares and shares == sorted(shares) and shares[-1] <= 100, said
    assert re.search(r", (\d+ min )?\d+ s left", said), said
    assert said.endswith("\r\x1b[K"), said  # nothing stays behind
    if words is SWEEP:
        silent = subprocess.run([sys.argv[1], *words], capture_output=True, stdin=subprocess.DEVNULL)
        assert silent.stderr == b"", silent.stderr
        assert silent.stdout == output, "a terminal changes the result"
END
