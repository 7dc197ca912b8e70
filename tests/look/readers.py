"""Reads timelines back, each by a reader of its own kind: protoc, vcd2fst and fst2vcd, json, csv.

All give the same thing, a Timeline: levels {(unit, signal): [(cycle, value), ...]} and slices
{(process, thread): [(begin, end, name), ...]}, instants apart.
"""
import csv
import json
import re
import subprocess
from collections import defaultdict


class Timeline:
    def __init__(self):
        self.levels = defaultdict(list)
        self.slices = defaultdict(list)
        self.leaving, self.reaching = set(), set()  # ids of arrows

    def integrals(self, end):
        """{(unit, signal): sum of value * cycles}; a level holds until its next change."""
        sums = {}
        for key, changes in self.levels.items():
            total = 0
            for (cycle, value), (after, _) in zip(changes, [*changes[1:], (end, 0)]):
                total += value * (after - cycle)
            sums[key] = round(total)
        return sums


def number(text):
    return float(text) if "." in text or "e" in text else int(text)


def read_csv(path):
    timeline = Timeline()
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if row["metric"].startswith("span."):
                timeline.slices[row["unit"], row["metric"]].append(
                    (int(row["time"]), int(row["value"]), ""))
            else:
                timeline.levels[row["unit"], row["metric"]].append(
                    (int(row["time"]), number(row["value"])))
    return timeline


UNITS = {"GPU": "gpu", "Shader engine": "se", "CU": "cu"}


def unit_of(process):
    words, _, index = process.rpartition(" ")
    return UNITS[words] + index if words else UNITS[process]


def cycles(microseconds):
    return round(microseconds * 1000)


def read_json(path):
    timeline = Timeline()
    with open(path) as file:
        events = json.load(file)["traceEvents"]
    names = {(e["name"], e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M"}
    open_slices = defaultdict(list)
    for e in events:
        if e["ph"] == "M":
            continue
        unit = unit_of(names["process_name", e["pid"], 0])
        at = cycles(e["ts"])
        if e["ph"] == "C":
            timeline.levels[unit, e["name"]].append((at, e["args"]["value"]))
            continue
        thread = (unit, names["thread_name", e["pid"], e["tid"]])
        if e["ph"] == "X":
            timeline.slices[thread].append((at, at + cycles(e["dur"]), e["name"]))
        elif e["ph"] == "B":
            open_slices[thread].append((at, e["name"]))
        elif e["ph"] == "E":
            begin, name = open_slices[thread].pop()
            timeline.slices[thread].append((begin, at, name))
        elif e["ph"] == "s":
            timeline.leaving.add(e["id"])
        elif e["ph"] == "f":
            timeline.reaching.add(e["id"])
        else:
            assert e["ph"] == "i", e
    assert not any(open_slices.values()), "a slice is never closed"
    return timeline


def parse_text_proto(text):
    """The text that protoc prints, as nested lists of (name, value)."""
    root = []
    stack = [root]
    for line in text.splitlines():
        word = line.strip()
        if word.endswith("{"):
            stack[-1].append((word[:-2], []))
            stack.append(stack[-1][-1][1])
        elif word == "}":
            stack.pop()
        else:
            name, value = word.split(": ", 1)
            assert not name.isdigit(), f"a field that trace.proto does not know: {line}"
            stack[-1].append((name, value.strip('"')))
    return root


def read_pftrace(path, proto):
    with open(path, "rb") as file:
        text = subprocess.run(
            ["protoc", f"--proto_path={proto.parent}", "--decode=Trace", proto.name],
            stdin=file, capture_output=True, text=True, check=True).stdout
    timeline = Timeline()
    processes, threads, counters = {}, {}, {}
    open_slices = defaultdict(list)
    events = []
    for order, (_, packet) in enumerate(parse_text_proto(text)):
        packet = dict(packet)
        if "track_descriptor" in packet:
            track = dict(packet["track_descriptor"])
            uuid = track["uuid"]
            assert uuid not in processes and uuid not in threads and uuid not in counters
            if "process" in track:
                processes[uuid] = unit_of(dict(track["process"])["process_name"])
            elif "thread" in track:
                threads[uuid] = (processes[track["parent_uuid"]],
                                 dict(track["thread"])["thread_name"])
            else:
                assert "counter" in track
                counters[uuid] = (processes[track["parent_uuid"]], track["name"])
        else:
            events.append((int(packet["timestamp"]), order, packet["track_event"]))
    for at, _, fields in sorted(events, key=lambda event: event[:2]):  # as Perfetto sorts them
        event = dict(fields)
        flows = {value for name, value in fields if name == "flow_ids"}
        uuid = event["track_uuid"]
        if event["type"] == "4":
            value = event.get("counter_value") or event["double_counter_value"]
            timeline.levels[counters[uuid]].append((at, number(value)))
        elif event["type"] == "1":
            open_slices[uuid].append((at, event["name"]))
            (timeline.leaving if "HS" in event["name"] else timeline.reaching).update(flows)
        elif event["type"] == "2":
            begin, name = open_slices[uuid].pop()
            timeline.slices[threads[uuid]].append((begin, at, name))
    assert not any(open_slices.values()), "a slice is never closed"
    return timeline


VARIABLE = re.compile(r"\$var (\w+) +\d+ (\S+) (\S+)")


def read_vcd(path, metrics):
    """metrics: {'waves_ds_max': 'waves.ds.max'}; points are what VCD viewers split at."""
    timeline = Timeline()
    scopes, names = [], {}
    at = 0
    with open(path) as file:
        for line in file:
            if line.startswith("$scope"):
                scopes.append(line.split()[2])
            elif line.startswith("$upscope"):
                scopes.pop()
            elif match := VARIABLE.match(line):
                names.setdefault(match[2], []).append((scopes[-1], metrics.get(match[3])))
            elif line.startswith("#"):
                at = int(line[1:])
            elif line[0] in "br":
                value, identifier = line[1:].split()
                value = int(value, 2) if line[0] == "b" else float(value)
                for name in names[identifier]:
                    before = timeline.levels[name][-1][1] if name in timeline.levels else 0
                    if value != before:
                        timeline.levels[name].append((at, value))
    return timeline


def through_fst(path, folder):
    """The VCD file as GTKWave's own tools give it back."""
    fst, back = folder / "t.fst", folder / "back.vcd"
    subprocess.run(["vcd2fst", path, fst], check=True, capture_output=True)
    subprocess.run(["fst2vcd", "-f", fst, "-o", back], check=True, capture_output=True)
    return back
