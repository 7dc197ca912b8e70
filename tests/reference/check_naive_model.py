#!/usr/bin/env python3
"""Checks of the slow reference model itself, TAP on stdout. Run from anywhere.

The two hand computations below are the anchor: the model agrees with them, not they with the model.
"""

import csv
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from naive_model import FACTORS, Patch, simulate      # noqa: E402

SCENARIOS = HERE / 'scenarios'
GOLDEN = Path(os.environ.get('TSIM_GOLDEN_DIR', HERE.parent / 'golden'))

# 01-single-patch, tiny.json (E2, E7, E8, E10, E13):
#     1  the patch has arrived (ceil(1 / 1)); admitted, VS wave launched
#    11  VS starts (launch latency 10); 5 valu x 4 clocks = 20
#    31  VS ends; HS launched
#    41  HS starts; 10 valu x 4 = 40
#    81  HS ends
#   101  the tessellator sees the group (20); set-up 8 until 109
#   112  factor 1: 3 points at 1 a clock against 1 primitive: T = 8 + 3; DS wave made and launched
#   122  DS starts; 20 valu x 4 = 80
#   202  DS ends; LDS returns
#   203  the one primitive has passed set-up at 1 a clock
#
# 02-two-groups-one-simd, tiny.json with one CU of one SIMD; groups A and B of one such patch (E3):
#     1  A admitted, starts at 11          2  B admitted, starts at 12
#    12  A has done 1 of its 20 cycles alone; both go on at half speed
#    50  A has done its other 19 in 38 cycles: A's VS ends, HS launched, starts at 60.  B: 19 done
#    51  B did its last cycle alone: VS ends, HS launched, starts at 61
#    61  A's HS has done 1 of 40; both at half speed
#   139  A did the other 39 in 78: HS ends.         140  B's HS ends
#   159  A seen: 8 set-up, 3 points: DS wave at 170; starts at 180
#   170  the tessellator, free again, turns to B (seen at 160): DS wave at 181; starts at 191
#   191  A's DS has done 11 of 80; both at half speed
#   329  A did the other 69 in 138: DS ends.  B: 69 done
#   340  B did the last 11 alone: DS ends
#   341  B's primitive has passed (A's at 330)
BY_HAND = {
    '01-single-patch': dict(elapsed=203, groups=[
        dict(arrive=1, admit=1, ls_end=31, hs_end=81, tess_end=112, lds_freed=202, end=202)]),
    '02-two-groups-one-simd': dict(elapsed=341, groups=[
        dict(arrive=1, admit=1, ls_end=50, hs_end=139, tess_end=170, lds_freed=329, end=329),
        dict(arrive=2, admit=2, ls_end=51, hs_end=140, tess_end=181, lds_freed=340, end=340)]),
}

# The limit that each of these scenarios is about, and a value that lifts it: the time must change.
BINDS = {
    '07-ds-queue-stall': 'gpu.ds_queue_depth=64',
    '08-vgt-queue-stall': 'gpu.vgt_queue_depth=64',
    '09-ring': 'gpu.tf_ring_bytes_per_se=4096',
    '10-offchip-buffers': 'gpu.offchip_buffers=64',
    '11-compute': 'work.1.threadgroups=0',
    '12-barriers': 'work.1.queue=elsewhere',
    '14-gangs': 'gpu.vgprs_per_simd=256',
    '15-export': 'gpu.export_waves_per_se=64',
    '17-starvation': 'gpu.lds_starvation_cycles=0',
    '19-engine-scope': 'gpu.ds_offchip_scope=gpu',
}

count, failed = 0, 0


def check(name, ok, note=''):
    global count, failed
    count += 1
    failed += not ok
    print('%s %d %s' % ('ok' if ok else 'not ok', count, name) + (' # ' + str(note) if not ok else ''))


def check_counts():
    wrong, rows = [], 0
    with open(GOLDEN / 'tessellator_counts.csv', newline='') as file:
        for row in csv.DictReader(file):
            if row['pre_round'] != 'none':
                continue
            edges, insides = FACTORS[row['domain']]
            patch = Patch(row['domain'], row['partitioning'], row['topology'],
                          [float(row['edge%d' % i]) for i in range(edges)],
                          [float(row['inside%d' % i]) for i in range(insides)])
            rows += 1
            if [patch.culled, patch.points, patch.prims] != [
                    int(row[k]) for k in ('culled', 'points', 'primitives')]:
                wrong.append(row)
    check('tessellator counts of %d golden rows (T5)' % rows, rows > 5000 and not wrong, wrong[:1])


def check_by_hand():
    for name, want in BY_HAND.items():
        got = simulate(SCENARIOS / (name + '.json'))
        elapsed = got['elapsed_cycles']
        check(name + ' by hand: elapsed', elapsed == want['elapsed'], elapsed)
        for mine, theirs in zip(want['groups'], got['groups']):
            check(name + ' by hand: group', mine.items() <= theirs.items(), theirs)


def check_scenarios():
    for path in sorted(SCENARIOS.glob('*.json')):
        quick = simulate(path)
        every = simulate(path, every_cycle=True)
        check(path.stem + ': skipping idle cycles changes nothing', quick == every)
        setting = BINDS.get(path.stem)
        if setting:
            free = simulate(path, settings=[setting])
            check(path.stem + ': ' + setting + ' changes the groups', free['groups'] != quick['groups'])


def check_equivalence():
    """Model, section 5: a TfThreshold above every average is on-chip, cycle for cycle, while the
    off-chip buffers do not bind."""
    path, many = SCENARIOS / '19-engine-scope.json', 'gpu.offchip_buffers=64'
    high = simulate(path, settings=[many, 'work.0.tessellation.tf_threshold=65'])
    onchip = simulate(path, settings=[many, 'work.0.tessellation.mode=onchip'])
    check('threshold above everything is on-chip', high['groups'] == onchip['groups'])


check_counts()
check_by_hand()
check_equivalence()
check_scenarios()
print('1..%d' % count)
sys.exit(failed != 0)
