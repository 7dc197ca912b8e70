#!/usr/bin/env python3
"""Runs the fast simulator and the slow reference model on the same scenarios; TAP on stdout.

    compare.py --tesssim BINARY [--random N] [--seed S] [--keep FOLDER] [SCENARIO.json ...]

Without scenarios: all of scenarios/. Random scenarios are small, on small machines whose limits bind;
one that differs is kept in FOLDER (default: the current one) as random-SEED.json.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from naive_model import FACTORS, InputError, Stuck, load_gpu, simulate      # noqa: E402

TOTALS = ('patches', 'culled_patches', 'threadgroups', 'threadgroups_onchip', 'threadgroups_offchip',
          'vs_waves', 'hs_waves', 'ds_waves', 'ds_waves_onchip', 'ds_waves_offchip', 'cs_waves',
          'ds_threads', 'primitives')


def facts(result):
    """What must be equal, as a flat table."""
    table = {'elapsed_cycles': result['elapsed_cycles'],
             'lds.peak_bytes_per_cu': result['lds']['peak_bytes_per_cu'],
             'occupancy.peak_waves_per_cu': result['occupancy']['peak_waves_per_cu']}
    table.update(('totals.' + key, result['totals'].get(key, 0)) for key in TOTALS)
    for i, draw in enumerate(result['draws']):
        for key in ('begin_cycle', 'end_cycle', 'lds_allocated_bytes_per_threadgroup'):
            table['draws[%d].%s' % (i, key)] = draw[key]
    return table


def differences(binary, path):
    try:
        want = facts(simulate(path))
    except (InputError, Stuck) as error:
        want = {'error': str(error)}
    run = subprocess.run([binary, 'run', str(path), '--format', 'json'], capture_output=True, text=True)
    if run.returncode != 0:
        return [] if 'error' in want else ['exit %d: %s' % (run.returncode, run.stderr.strip())]
    if 'error' in want:
        return ['the reference refuses: ' + want['error']]
    got = facts(json.loads(run.stdout))
    return ['%s: reference %s, tesssim %s' % (key, want[key], got.get(key))
            for key in want if want[key] != got.get(key)]


def random_program(rng, extra, barriers):
    program = [rng.choice([{'valu': rng.randint(1, 60)}, {'wait': rng.randint(1, 80)},
                           {'trans': rng.randint(1, 8)}]) for _ in range(rng.randint(0, 3))]
    if barriers and rng.random() < 0.3:
        program.insert(rng.randint(0, len(program)), {'barrier': 1})
    return program + extra


def random_factors(rng, domain):
    edges, insides = FACTORS[domain]
    if rng.random() < 0.4:
        return rng.randint(1, 60), {'uniform': rng.choice([1, 2.5, 3, 4, 7, 9.25, 12])}

    def factor():
        return rng.choice([0, 1, 2, 3.5, 4, 5, 8, 13]) if rng.random() < 0.2 else rng.randint(1, 9)
    rows = [{'edge': [factor() for _ in range(edges)],
             'inside': [max(1, factor()) for _ in range(insides)]} for _ in range(rng.randint(1, 40))]
    return len(rows), {'list': rows}


def random_draw(rng):
    domain = rng.choice(['tri', 'tri', 'quad', 'isoline'])
    patches, factors = random_factors(rng, domain)
    mode = rng.choice(['onchip', 'offchip', 'offchip'])
    tessellation = {'mode': mode, 'patches_per_threadgroup': rng.randint(1, 12)}
    if mode == 'offchip':
        tessellation.update(tf_threshold=rng.choice([0, 1, 3, 4, 4.5, 8]),
                            ds_wave_threshold=rng.randint(0, 6))
    return {
        'type': 'draw', 'queue': rng.choice(['graphics', 'graphics', 'second']), 'patches': patches,
        'domain': domain, 'topology': 'line' if domain == 'isoline' else 'triangle_cw',
        'partitioning': rng.choice(['integer', 'pow2', 'fractional_even', 'fractional_odd']),
        'max_tess_factor': 64, 'input_control_points': rng.randint(1, 16),
        'output_control_points': rng.randint(1, 16),
        'tess_factors': factors, 'tessellation': tessellation,
        'vs': {'vgprs': rng.choice([8, 24, 60]), 'sgprs': 16, 'output_vec4': rng.randint(0, 2),
               'program': random_program(rng, [], False)},
        'hs': {'vgprs': rng.choice([8, 24, 60]), 'sgprs': 16, 'output_vec4': rng.randint(0, 2),
               'patch_constant_vec4': rng.randint(0, 2),
               'program': random_program(rng, [{'patch_write': 0}], True)},
        'ds': {'vgprs': rng.choice([8, 24, 60]), 'sgprs': 16,
               'program': [{'patch_read': 0}] + random_program(rng, [], False)}}


def random_dispatch(rng):
    return {'type': 'dispatch', 'queue': 'async', 'threadgroups': rng.randint(1, 40),
            'threads': rng.choice([30, 64, 200]), 'lds_bytes': rng.choice([0, 700, 3000]),
            'cs': {'vgprs': rng.choice([8, 40]), 'sgprs': 16, 'program': random_program(rng, [], True)}}


def random_scenario(seed):
    rng = random.Random(seed)
    gpu = load_gpu(rng.choice(['tiny', 'wide', 'merged']), HERE / 'gpus')
    gpu = {key: value if isinstance(value, (str, int, list)) else float(value)
           for key, value in gpu.items()}
    gpu.update(waves_per_clk=rng.randint(1, 3), vgt_queue_depth=rng.randint(1, 6),
               ds_queue_depth=rng.randint(1, 6), wave_launch_latency=rng.randint(0, 15),
               hs_to_tess_latency=rng.randint(0, 40), tess_setup_clks=rng.randint(0, 10),
               patches_per_clk=rng.choice([0.25, 0.75, 1, 1.5, 3]),
               export_waves_per_se=rng.randint(1, 12),
               tess_points_per_clk=rng.choice([0.3, 1, 1.7]), prims_per_clk=rng.choice([0.33, 1, 2]),
               offchip_buffers=rng.randint(1, 20), tf_ring_bytes_per_se=rng.choice([400, 1000, 4096]),
               ds_offchip_scope=rng.choice(['gpu', 'se']), primgroup_min=rng.randint(1, 8),
               lds_starvation_cycles=rng.choice([50, 1000, 100000]))
    work = []
    for _ in range(rng.randint(1, 4)):
        kind = rng.random()
        work.append(random_draw(rng) if kind < 0.7 or not work else
                    random_dispatch(rng) if kind < 0.9 else {'type': 'barrier', 'queue': 'graphics'})
    return {'name': 'random-%d' % seed, 'gpu': gpu, 'seed': 1, 'work': work}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tesssim', required=True)
    parser.add_argument('--random', type=int, default=0)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep', default='.')
    parser.add_argument('scenarios', nargs='*')
    args = parser.parse_args()
    count = failed = 0

    def report(name, path):
        nonlocal count, failed
        count += 1
        wrong = differences(args.tesssim, path)
        failed += bool(wrong)
        print('%s %d %s' % ('not ok' if wrong else 'ok', count, name), flush=True)
        for line in wrong:
            print('# ' + line)
        return bool(wrong)

    named = [Path(p) for p in args.scenarios]
    if not named and not args.random:
        named = sorted((HERE / 'scenarios').glob('*.json'))
    for path in named:
        report(path.stem, path)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.random):
            text = json.dumps(random_scenario(seed), indent=1)
            path = Path(folder) / ('random-%d.json' % seed)
            path.write_text(text)
            if report(path.stem, path):
                (Path(args.keep) / path.name).write_text(text)
    print('1..%d' % count)
    return int(failed != 0)


if __name__ == '__main__':
    sys.exit(main())
