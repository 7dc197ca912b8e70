#!/usr/bin/env python3
"""A slow, obvious model of a tessellation threadgroup's life, to check the fast simulator against.

It was written from the rules (E1-E17, D1-D5, T1-T15) and from nothing else: no line of the fast
simulator was read. Same scenario, same GPU file, same cycle counts, or one of the two has misread a
rule. Exact arithmetic everywhere (int, Fraction); pure Python 3 standard library.

    naive_model.py SCENARIO.json [--gpu FILE] [--set KEY=VALUE]... [--every-cycle]

--every-cycle visits all cycles; without it, cycles in which nothing can happen are skipped (the
self-check shows that both give the same answer).

Supported: draw, dispatch, barrier; uniform and list tess factors; programs of valu, trans, salu,
wait, barrier. HS and DS programs must name {"patch_write": 0} and {"patch_read": 0}, so that E16
adds no memory traffic. Everything else is refused rather than guessed.

CHOICES, where the rules leave room (each is one place in the code, marked [Cn]):

Time and waves
 C1  A cycle c is: RELEASE, DELIVER, ARBITRATE, then the SIMDs work from c to c+1. A wave joins its
     SIMD in DELIVER of its start cycle (in ARBITRATE when wave_launch_latency is 0) and already has
     its share of that cycle.
 C2  "Lives at least 1 cycle" (E2): end >= start + 1, that is max(d, 1) cycles of work; the launch
     latency does not count as life.
 C3  A segment that finishes inside a cycle ends at the end of that cycle; the rest of the share is
     lost (E3), also between two consecutive valu segments of one wave. A segment of 0 takes 0.
 C4  `salu n` takes n x valu_issue_clks of the wave, shared with nobody. `wait n`: n cycles.
 C5  `barrier` costs nothing: when the last wave of the stage's gang arrives, in whatever cycle, all
     of them go on in that cycle. In a one-wave gang it is free. In a DS program it is refused.
 C6  A slot and its registers are occupied from the reservation (the gang's, not the wave's start)
     to the wave's end. A launched gang's waves return their slots one by one, as each ends.
 C7  VGPRs: max(1, vgprs) rounded up to the granule; SGPRs: sgprs as given (extras included) rounded
     up; sgprs_per_simd 0 = never limits.
 C8  Same-cycle wave ends are handled in SE, CU, SIMD, launch order.

VGT
 C9  Patch j (1-based) arrives at exactly j / patches_per_clk after the start, its group is delivered
     in DELIVER of that time rounded up. The VGT's clock stays exact across groups and across draws:
     the next draw's first patch follows the last one of the draw before.
 C10 A complete group that finds its SE's queue full is held by the VGT, which stops. Queues are
     filled in DELIVER only: a place freed in ARBITRATE of r is taken in DELIVER of r+1. A held
     group's whole wait (entered - first offered, whole cycles) is added to the VGT's clock.
 C11 "A new draw starts at the next SE" = the one after the SE of the last group of the draw before;
     the first draw starts at SE 0. An incomplete primitive group at a draw's end counts as one.
 C12 Draws of several queues share the one VGT: whole draws, in the order in which they start (same
     cycle: order of the queues' first appearance in the file).
 C13 begin_cycle of a draw: the cycle in which the VGT turns to it (its clock rounded up);
     end_cycle: its last resource returned or its last primitive passed.

Launcher
 C14 waves_per_clk credits a cycle, unused ones are lost. SEs in order; inside an SE DS, HS, VS, CS.
     Inside a stage, first the waves of gangs already reserved, then new reservations. A group is
     admitted (a gang reserved) only with at least one credit left, that is in the cycle in which its
     first wave is launched; so one group of a stage is under way at a time.
 C15 Barrier slot (E14): needed if the LS waves or the HS waves of the group are more than one.
 C16 offchip_buffers is one pool for the GPU; first come, first served, SEs in order. The ring is a
     byte counter per SE.
 C17 HS gangs become ready in DELIVER/RELEASE of the last LS wave's end and may launch in the same
     cycle, oldest first. One that does not fit blocks later HS gangs of its own CU only.
 C18 D4: from the first refusal for slots or registers until its launch, a waiting HS gang closes its
     CU to off-chip DS waves, VS admission and CS; a waiting on-chip DS wave closes it to HS gangs as
     well. An on-chip DS wave may pass a waiting HS gang (its stage is later). "Newer" = everything
     that is not launched yet.
 C19 D4, starvation: a head that no CU of its SE can give LDS for lds_starvation_cycles (absent or 0 =
     never) closes the CU under its pointer, or the next that drains for nobody, to all other LDS
     requests until it is admitted.
 C20 CU pointer (E6): the next choice starts one after the last chosen CU. Off-chip DS waves: over all
     CUs of the GPU in SE order (or the SE's), starting at the home SE's first CU. On-chip DS waves
     and HS gangs do not move a pointer. SIMD pointer (E4): one per CU for all stages; a CU's first
     wave goes to SIMD 0.
 C21 A dispatch's threadgroups are all there in DELIVER of its start and are dealt one by one to the
     SEs (strict round robin, the next dispatch goes on where the last one stopped), without limit.
 C22 A compute group holds LDS and barrier slot (if several waves) until its last wave ends.

Tessellator and after
 C23 The tessellator's clock is exact also from group to group: the next group starts at
     max(cycle in which it is seen, exact end of the group before). A culled patch takes the set-up.
 C24 A finished wave enters the DS queue in DELIVER of its finish, rounded up. If the queue is full
     it is held and the tessellator stops; as in C10 a place freed in ARBITRATE of r is taken in
     DELIVER of r+1, and the whole-cycle wait is added to the tessellator's clock.
 C25 "Consumed": the exact end of the last patch, rounded up (culled patches behind the last point
     included); the ring bytes return then.
 C26 The decision is known at the end of the HS; an on-chip decision returns the off-chip buffer then.
 C27 LDS off-chip: returns as soon as DsWaveThreshold DS waves have ended; if the group has fewer,
     when it is consumed and all of them have ended. Threshold 0: end of the HS.
 C28 Export space: one unit a DS wave, in the home SE, from its launch until its last primitive has
     passed set-up (rounded up). A wave without primitives returns it when its turn comes.
 C29 Of a patch's p primitives and n points, floor(p*j/n) are made with the first j points; a wave's
     primitives are those made with its points.
 C30 Set-up is exact: a wave's primitives start at max(its end, exact end of the wave before).
 C31 Factors are 32-bit floats, clamped by max_tess_factor (cull test on the unclamped value), then
     by the partitioning, then 16.16 nearest-even for the average (E9); the threshold is converted to
     16.16 as well. isoline density is clamped to [1, 64] in any partitioning.

Work
 C32 A barrier waits for group ends and for the last primitives (rounded up). What follows starts in
     DELIVER of that cycle: its first patch arrives 1 / patches_per_clk later. Without a barrier,
     every later item of a queue starts at once. The default queue is "graphics".
 C33 merged_ls_hs: the merged wave runs the VS program, a barrier, then the HS program; registers are
     the larger of each; ceil(patches x max(in, out) / wave_size) waves; priority of the HS.
 C34 has_onchip false: every group off-chip with DsWaveThreshold 0, thresholds ignored; the ring has
     the + 4 bytes there too (E14 as written).
 C35 LDS bytes of a group: patches x (in x 16 vs.output_vec4 + out x 16 hs.output_vec4
     + 16 (hs.patch_constant_vec4 + 2, isoline 1)). A partial group takes as much as a full one
     (LDS_SIZE is programmed once a draw); its waves and ring bytes are those of its own patches.
 C36 Mean and peak waves: those launched and not ended. Mean LDS fraction: allocated bytes, over the elapsed cycles.
"""

import argparse
import json
import re
import struct
import sys
from collections import deque
from fractions import Fraction
from math import lcm
from pathlib import Path


class InputError(Exception):
    """The scenario or GPU file is wrong or outside what this model supports."""


class Stuck(Exception):
    """Work is left and nothing can happen any more (D5)."""


def ceil_div(a, b):
    return -(-a // b)


def ceil(x):
    """Smallest integer >= x, exact for int and Fraction."""
    return ceil_div(x.numerator, x.denominator)


def round_up(value, granule):
    return ceil_div(value, granule) * granule


# ---------------------------------------------------------------------------------------------------
# Reading

def strip_comments(text):
    token = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.S)
    return token.sub(lambda m: m.group() if m.group()[0] == '"' else ' ', text)


def load_json(path):
    # Numbers with a point stay exact: 0.33 is 33/100.
    return json.loads(strip_comments(Path(path).read_text(encoding='utf-8-sig')),
                      parse_float=Fraction)


def find_gpu(name, folder):
    here = Path(__file__).resolve().parent
    for base in (folder, Path.cwd(), here / 'gpus', here.parent.parent / 'configs'):
        for candidate in (base / name, base / (name + '.json')):
            if candidate.is_file():
                return candidate
    raise InputError('no GPU file %r' % name)


def load_gpu(source, folder):
    """source: a name, a path, or an object with "extends"; values as plain numbers."""
    if isinstance(source, str):
        path = find_gpu(source, folder)
        return load_gpu(load_json(path), path.parent)
    fields = load_gpu(source['extends'], folder) if 'extends' in source else {}
    for key, value in source.items():
        if key != 'extends':
            fields[key] = value['value'] if isinstance(value, dict) else value
    return fields


GPU_DEFAULTS = {
    'wave_size': 64, 'shader_arrays_per_se': 1, 'hs_max_threads': 256, 'patches_max': 255,
    'primgroup_min': 4, 'ds_queue_depth': 8, 'ds_offchip_scope': 'gpu', 'lds_starvation_cycles': 0,
    'merged_ls_hs': False, 'has_onchip': True, 'clock_mhz': 1000,
}


class Gpu:
    def __init__(self, fields):
        self.__dict__.update(GPU_DEFAULTS)
        self.__dict__.update(fields)
        arrays = self.shader_engines * self.shader_arrays_per_se
        cus = self.cus_per_array
        self.cus_per_array = cus if isinstance(cus, list) else [cus] * arrays
        if len(self.cus_per_array) != arrays:
            raise InputError('cus_per_array: %d counts expected' % arrays)
        if self.waves_per_clk != int(self.waves_per_clk):
            raise InputError('waves_per_clk must be whole here')


def compile_program(gpu, segments, where, must_name=None):
    """-> list of ('alu' | 'latency', cycles) and ('barrier', 0)."""
    steps, named = [], False
    for segment in segments:
        if isinstance(segment, str):
            segment = {segment: 1}
        if len(segment) != 1:
            raise InputError('%s: one key a segment' % where)
        (kind, n), = segment.items()
        if kind in ('patch_read', 'patch_write') and n == 0:
            named = named or kind == must_name
        elif kind == 'valu':
            steps.append(('alu', n * gpu.valu_issue_clks))
        elif kind == 'trans':
            steps.append(('alu', 4 * n * gpu.valu_issue_clks))
        elif kind == 'salu':
            steps.append(('latency', n * gpu.valu_issue_clks))          # [C4]
        elif kind == 'wait':
            steps.append(('latency', n))
        elif kind == 'barrier' and where != 'ds':
            steps += [('barrier', 0)] * n
        else:
            raise InputError('%s: segment %r is not supported' % (where, segment))
    if must_name and not named:
        raise InputError('%s: name {"%s": 0}' % (where, must_name))
    return [s for s in steps if s[0] == 'barrier' or s[1] > 0]


class Shader:
    def __init__(self, gpu, stage, where, must_name=None):
        self.vgprs = round_up(max(1, stage.get('vgprs', 1)), gpu.vgpr_granule)   # [C7]
        self.sgprs = round_up(stage.get('sgprs', 0), gpu.sgpr_granule) if gpu.sgprs_per_simd else 0
        self.program = compile_program(gpu, stage['program'], where, must_name)


# ---------------------------------------------------------------------------------------------------
# Direct3D 11 tessellator counts

FACTORS = {'tri': (3, 1), 'quad': (4, 2), 'isoline': (2, 0)}
CLAMP = {'integer': (1, 64), 'pow2': (1, 64), 'fractional_even': (2, 64), 'fractional_odd': (1, 63)}


def float32(x):
    return struct.unpack('f', struct.pack('f', float(x)))[0]


def fixed16(x):
    """16.16 fixed point, nearest, ties to even."""
    return round(Fraction(x) * 65536)


def clamped(x, low, high):
    return low if not x > low else min(x, high)      # NaN becomes the bottom


def to_segments(x, partitioning):
    if partitioning in ('integer', 'pow2'):
        return ceil(Fraction(x))
    n = ceil(Fraction(fixed16(x), 65536))
    odd = partitioning == 'fractional_odd'
    return n if (n % 2 == 1) == odd else n + 1


class Patch:
    """points, prims, and the sum of its factors in 16.16 (0 when culled)."""

    def __init__(self, domain, partitioning, topology, edge, inside, max_factor=64):
        edge, inside = [float32(f) for f in edge], [float32(f) for f in inside]
        self.points = self.prims = self.factor_sum = 0
        self.culled = any(not f > 0 for f in edge)
        if self.culled:
            return
        low, high = CLAMP[partitioning]
        ranges = [(low, high)] * (len(edge) + len(inside))
        if domain == 'isoline':
            ranges[0] = (1, 64)
        factors = [clamped(min(f, float32(max_factor)), *r)
                   for f, r in zip(edge + inside, ranges)]                     # [C31]
        self.factor_sum = sum(fixed16(f) for f in factors)

        if domain == 'isoline':
            lines, s = ceil(Fraction(factors[0])), to_segments(factors[1], partitioning)
            self.points, self.prims = lines * (s + 1), lines * s
            if topology == 'point':
                self.prims = self.points
            return
        n = [to_segments(f, partitioning) for f in factors]
        e, i = n[:len(edge)], n[len(edge):]
        if all(x == 1 for x in n):
            self.points, self.prims = (3, 1) if domain == 'tri' else (4, 2)
        else:
            bottom = 3 if partitioning == 'fractional_odd' else 2
            i = [max(x, bottom) for x in i]
            if domain == 'tri':
                m = i[0]
                self.points = sum(e) + ceil_div(3 * (m - 1) ** 2, 4)
                self.prims = sum(e) + 3 * m * (m - 2) // 2
            else:
                inner = (i[0] - 1) * (i[1] - 1)
                self.points, self.prims = sum(e) + inner, sum(e) + 2 * inner - 2
        if topology == 'point':
            self.prims = self.points
        elif topology == 'line':
            self.prims = self.points - 1


def read_patches(item):
    domain = item['domain']
    edges, insides = FACTORS[domain]
    source = item['tess_factors']
    common = (domain, item.get('partitioning', 'integer'), item.get('topology', 'triangle_cw'))
    top = item.get('max_tess_factor', 64)
    if 'uniform' in source:
        f = source['uniform']
        return [Patch(*common, [f] * edges, [f] * insides, top)] * item['patches']
    rows = source['list']
    if item.get('patches', len(rows)) != len(rows):
        raise InputError('patches and the list differ')
    for row in rows:
        if len(row['edge']) != edges or len(row.get('inside', [])) != insides:
            raise InputError('wrong number of factors in %r' % row)
    return [Patch(*common, row['edge'], row.get('inside', []), top) for row in rows]


# ---------------------------------------------------------------------------------------------------
# Machine

class Lds:
    """A contiguous block, granule-aligned, first fit."""

    def __init__(self, size):
        self.size, self.blocks = size, []            # blocks: sorted (start, end)

    def find(self, need):
        start = 0
        for begin, end in self.blocks:
            if begin - start >= need:
                return start
            start = end
        return start if self.size - start >= need else None

    def take(self, need):
        start = self.find(need)
        block = (start, start + need)
        self.blocks = sorted(self.blocks + [block])
        return block

    def give(self, block):
        self.blocks.remove(block)

    def used(self):
        return sum(end - start for start, end in self.blocks)


class Simd:
    """`served` is what every wave that was here all the time has received, in 1/scale cycles."""

    def __init__(self, gpu, cu, index):
        self.cu, self.index = cu, index
        self.slots, self.vgprs, self.sgprs = gpu.waves_per_simd, gpu.vgprs_per_simd, gpu.sgprs_per_simd
        self.sgprs_limit = gpu.sgprs_per_simd > 0
        self.scale = lcm(*range(1, gpu.waves_per_simd + 1))
        self.served, self.time, self.running = 0, 0, {}      # running: wave -> served at its finish

    def room(self, shader):
        return (self.slots >= 1 and self.vgprs >= shader.vgprs
                and (not self.sgprs_limit or self.sgprs >= shader.sgprs))

    def occupy(self, shader, sign):
        self.slots -= sign
        self.vgprs -= sign * shader.vgprs
        self.sgprs -= sign * shader.sgprs

    def work_until(self, now):
        """E3: k waves each receive 1/k of every cycle from self.time to now."""
        if self.running:
            self.served += (now - self.time) * (self.scale // len(self.running))
        self.time = now

    def join(self, wave, cycles, now):
        self.work_until(now)
        self.running[wave] = self.served + cycles * self.scale

    def next_finish(self):
        if not self.running:
            return None
        left = min(self.running.values()) - self.served
        return self.time + max(0, ceil_div(left, self.scale // len(self.running)))

    def finished(self, now):
        self.work_until(now)
        done = [w for w, at in self.running.items() if at <= self.served]
        for wave in done:
            del self.running[wave]
        return done


class Cu:
    def __init__(self, gpu, se, index):
        self.se, self.index = se, index
        self.simds = [Simd(gpu, self, i) for i in range(gpu.simds_per_cu)]
        self.next_simd = 0
        self.lds = Lds(gpu.lds_bytes_per_cu)
        self.barriers = gpu.barriers_per_cu
        self.hs_waiting = []          # groups whose HS gang was refused here, oldest first
        self.ds_waiting = False       # an on-chip DS wave was refused here
        self.draining_for = None      # the starving head this CU drains for
        self.waves = self.peak_waves = self.peak_lds = 0

    def open_to_one_wave_work(self):
        return not self.hs_waiting and not self.ds_waiting            # [C18]

    def place(self, shader, count):
        """E4. SIMDs for all the waves and the next pointer, or None; changes nothing."""
        chosen, pointer, n = [], self.next_simd, len(self.simds)
        for _ in range(count):
            for k in range(n):
                simd = self.simds[(pointer + k) % n]
                if simd.room(shader):
                    break
            else:
                simd = None
            if simd is None:
                break
            simd.occupy(shader, +1)
            chosen.append(simd)
            pointer = (simd.index + 1) % n
        for simd in chosen:
            simd.occupy(shader, -1)
        return (chosen, pointer) if len(chosen) == count else None


class Se:
    def __init__(self, gpu, index):
        self.index, self.cus = index, []
        self.vgt_queue = deque()       # groups waiting for admission
        self.hs_ready = []             # groups whose LS has ended, oldest first
        self.ds_queue = deque()        # finished DS waves
        self.cs_queue = deque()        # compute groups
        self.starting = {'hs': deque(), 'vs': deque(), 'cs': deque()}   # reserved, not yet started
        self.pointer = {'vs': 0, 'cs': 0, 'ds': 0}
        self.ring_free = gpu.tf_ring_bytes_per_se
        self.export_free = gpu.export_waves_per_se
        # Tessellator
        self.admitted = deque()        # groups in admission order, not yet tessellated
        self.tess_group, self.tess_base, self.tess_next = None, Fraction(0), 0
        self.tess_free = Fraction(0)
        # Primitive set-up
        self.setup_queue = deque()     # DS waves in order, primitives not yet passed
        self.setup_free = Fraction(0)


class Gang:
    """The waves of one stage of one group, which share the barrier."""

    def __init__(self, size, on_last_end):
        self.size, self.live, self.at_barrier, self.on_last_end = size, size, [], on_last_end


class Wave:
    def __init__(self, stage, shader, program, gang, home):
        self.stage, self.shader, self.program, self.gang, self.home = stage, shader, program, gang, home
        self.pc, self.simd, self.start, self.end, self.sequence = 0, None, None, None, None
        self.group = self.onchip = self.prims = self.passed_at = None

    def order(self):
        cu = self.simd.cu
        return (cu.se.index, cu.index, self.simd.index, self.sequence)


class Group:
    """A tessellation threadgroup."""

    def __init__(self, draw, index, patches):
        self.draw, self.index, self.patches = draw, index, patches
        self.se = self.cu = self.block = None
        n = len(patches)
        self.lds_bytes = round_up(draw.lds_per_patch * draw.patches_per_group, draw.gpu.lds_granule)  # [C35]
        size = draw.gpu.wave_size
        if draw.gpu.merged_ls_hs:
            self.ls_waves, self.hs_waves = 0, ceil_div(n * max(draw.in_cp, draw.out_cp), size)
        else:
            self.ls_waves = ceil_div(n * draw.in_cp, size)
            self.hs_waves = ceil_div(n * draw.out_cp, size)
        self.ring_bytes = n * draw.ring_bytes_per_patch + (4 if draw.offchip else 0)
        self.needs_barrier = max(self.ls_waves, self.hs_waves) > 1           # [C15]
        self.offchip = draw.offchip and self.average_reaches(draw.tf_threshold)
        self.holds_buffer = False
        self.arrive = self.admit = self.ls_end = self.hs_end = self.seen = None
        self.consumed = self.lds_freed = self.end = None
        self.ds_made = self.ds_ended = self.onchip_ended = 0
        self.lds_refused_since = None

    def average_reaches(self, threshold):
        if threshold is None:                        # no on-chip mode
            return True
        factors = sum(FACTORS[self.draw.domain])
        total = sum(p.factor_sum for p in self.patches)
        return total >= fixed16(threshold) * factors * len(self.patches)

    def plan(self):
        """DS waves as (exact offset from the group's start, primitives), and the total time (E10)."""
        gpu, waves, clock = self.draw.gpu, [], Fraction(0)
        in_wave, prims, last_point = 0, 0, None
        for patch in self.patches:
            n, p = patch.points, patch.prims
            work = max(Fraction(n) / gpu.tess_points_per_clk, Fraction(p) / gpu.tess_prims_per_clk)
            made = 0
            while made < n:
                take = min(n - made, gpu.wave_size - in_wave)
                prims += p * (made + take) // n - p * made // n              # [C29]
                made += take
                in_wave += take
                last_point = clock + gpu.tess_setup_clks + work * made / n
                if in_wave == gpu.wave_size:
                    waves.append((last_point, prims))
                    in_wave = prims = 0
            clock += gpu.tess_setup_clks + work
        if in_wave:
            waves.append((last_point, prims))
        return waves, clock


class Draw:
    def __init__(self, gpu, item, index):
        self.gpu, self.item = gpu, item
        self.name = item.get('name', 'draw%d' % index)
        tess = item['tessellation']
        self.domain = item['domain']
        self.in_cp, self.out_cp = item['input_control_points'], item['output_control_points']
        self.vs = Shader(gpu, item['vs'], 'vs')
        self.hs = Shader(gpu, item['hs'], 'hs', 'patch_write')
        self.ds = Shader(gpu, item['ds'], 'ds', 'patch_read')
        if gpu.merged_ls_hs:                                                   # [C33]
            self.hs.vgprs = max(self.hs.vgprs, self.vs.vgprs)
            self.hs.sgprs = max(self.hs.sgprs, self.vs.sgprs)
            self.hs.program = self.vs.program + [('barrier', 0)] + self.hs.program
        self.mode = tess.get('mode', 'onchip')
        self.tf_threshold = tess.get('tf_threshold', 0)
        self.ds_threshold = tess.get('ds_wave_threshold', 4)
        if not gpu.has_onchip:                                                 # [C34]
            self.mode, self.tf_threshold, self.ds_threshold = 'offchip', None, 0
        self.offchip = self.mode == 'offchip'
        slots = 1 if self.domain == 'isoline' else 2
        hs = item['hs']
        self.out_bytes = (self.out_cp * 16 * hs.get('output_vec4', 0)
                          + 16 * (hs.get('patch_constant_vec4', 0) + slots))
        self.lds_per_patch = self.in_cp * 16 * item['vs'].get('output_vec4', 0) + self.out_bytes
        self.ring_bytes_per_patch = 4 * sum(FACTORS[self.domain])              # E14: 16, 24, 8

        per_group = tess['patches_per_threadgroup']
        patches = read_patches(item)
        self.patches_per_group, self.patches = per_group, patches
        self.groups = [Group(self, i, patches[at:at + per_group])
                       for i, at in enumerate(range(0, len(patches), per_group))]
        self.groups_per_primgroup = ceil_div(gpu.primgroup_min, per_group)
        self.next_group, self.begin, self.end = 0, None, 0
        self.groups_left, self.waves_left = len(self.groups), 0
        if self.groups:
            self.check_fits(self.groups[0])

    def check_fits(self, group):
        """D5: what can never fit is an error before the run."""
        gpu, n = self.gpu, self.patches_per_group
        threads = n * (max(self.in_cp, self.out_cp) if gpu.merged_ls_hs else self.out_cp)
        empty = Cu(gpu, None, 0)
        limits = [
            ('patches_max', self.patches_per_group, gpu.patches_max),
            ('hs_max_threads', threads, gpu.hs_max_threads),
            ('lds_max_hs_threadgroup', self.lds_per_patch * n, gpu.lds_max_hs_threadgroup),
            ('lds_bytes_per_cu', group.lds_bytes, gpu.lds_bytes_per_cu),
            ('tf_ring_bytes_per_se', group.ring_bytes, gpu.tf_ring_bytes_per_se),
            ('barriers_per_cu', int(group.needs_barrier), gpu.barriers_per_cu),
            ('export_waves_per_se', 1, gpu.export_waves_per_se)]
        if self.offchip:
            limits += [('offchip_buffers', 1, gpu.offchip_buffers),
                       ('offchip_buffer_bytes', self.out_bytes * n, gpu.offchip_buffer_bytes)]
        for what, need, have in limits:
            if need > have:
                raise InputError('%s: never fits: %s, %s needed, %s there'
                                 % (self.name, what, need, have))
        for what, shader, count in (('vs', self.vs, group.ls_waves), ('hs', self.hs, group.hs_waves),
                                    ('ds', self.ds, 1)):
            if empty.place(shader, count) is None:
                raise InputError('%s: %s waves never fit in a CU' % (self.name, what))

    def done(self):
        return self.begin is not None and self.groups_left == 0 and self.waves_left == 0


class ComputeGroup:
    def __init__(self, dispatch):
        self.dispatch, self.lds_refused_since = dispatch, None


class Dispatch:
    def __init__(self, gpu, item):
        self.shader = Shader(gpu, item['cs'], 'cs')
        self.count = item['threadgroups']
        self.waves = ceil_div(item['threads'], gpu.wave_size)
        self.lds_bytes = round_up(item.get('lds_bytes', 0), gpu.lds_granule)
        self.groups_left, self.begin = self.count, None
        no_slots = Cu(gpu, None, 0).place(self.shader, self.waves) is None
        if no_slots or self.lds_bytes > gpu.lds_bytes_per_cu:
            raise InputError('a threadgroup of the dispatch never fits in a CU')

    def done(self):
        return self.begin is not None and self.groups_left == 0


# ---------------------------------------------------------------------------------------------------
# The run

class Model:
    def __init__(self, scenario, gpu_fields):
        self.scenario, self.gpu = scenario, Gpu(gpu_fields)
        gpu = self.gpu
        self.ses, self.cus = [], []
        counts = iter(gpu.cus_per_array)
        for s in range(gpu.shader_engines):
            se = Se(gpu, s)
            for _ in range(sum(next(counts) for _ in range(gpu.shader_arrays_per_se))):
                se.cus.append(Cu(gpu, se, len(self.cus)))
                self.cus.append(se.cus[-1])
            self.ses.append(se)
        for se in self.ses:
            if gpu.ds_offchip_scope == 'gpu':
                se.pointer['ds'] = se.cus[0].index
        self.buffers_free = gpu.offchip_buffers

        self.draws, self.queues = [], {}
        for item in scenario['work']:
            queue = self.queues.setdefault(item.get('queue', 'graphics'), deque())
            if item['type'] == 'draw':
                self.draws.append(Draw(gpu, item, len(self.draws)))
                queue.append(self.draws[-1])
            elif item['type'] == 'dispatch':
                queue.append(Dispatch(gpu, item))
            elif item['type'] == 'barrier':
                queue.append('barrier')
            else:
                raise InputError('work type %r is not supported' % item['type'])
        self.started = {name: [] for name in self.queues}

        self.now, self.sequence, self.launched = 0, 0, False
        self.elapsed = 0
        self.not_started = []                     # launched waves before their first cycle
        self.timers = []                          # (cycle, wave): wait and salu segments, idle lives
        self.vgt_draws = deque()
        self.vgt_clock, self.vgt_next_se, self.vgt_last_se = Fraction(0), 0, None
        self.cs_next_se = 0
        self.totals = {s + '_waves': 0 for s in ('vs', 'hs', 'ds', 'cs')}
        self.wave_cycles = self.lds_cycles = 0

    # --- Waves

    def use_cycle(self):
        self.elapsed = max(self.elapsed, self.now)

    def reserve(self, cu, placement, waves):
        simds, cu.next_simd = placement
        for wave, simd in zip(waves, simds):
            simd.occupy(wave.shader, +1)
            wave.simd = simd

    def launch(self, wave):
        cu = wave.simd.cu
        cu.waves += 1
        cu.peak_waves = max(cu.peak_waves, cu.waves)
        wave.start = self.now + self.gpu.wave_launch_latency
        wave.sequence = self.sequence
        self.sequence += 1
        self.totals[wave.stage + '_waves'] += 1
        self.launched = True
        if wave.start == self.now:
            self.next_step(wave)
        else:
            self.not_started.append(wave)

    def next_step(self, wave):
        """The wave is at program[pc] now: begin it, or end."""
        if wave.pc == len(wave.program):
            if self.now > wave.start:
                self.end_wave(wave)
            else:
                self.timers.append((self.now + 1, wave))               # [C2]
            return
        kind, cycles = wave.program[wave.pc]
        wave.pc += 1
        if kind == 'alu':
            wave.simd.join(wave, cycles, self.now)
        elif kind == 'latency':
            self.timers.append((self.now + cycles, wave))
        else:                                                            # [C5]
            gang = wave.gang
            gang.at_barrier.append(wave)
            if len(gang.at_barrier) == gang.size:
                arrived, gang.at_barrier = gang.at_barrier, []
                for other in arrived:
                    self.next_step(other)

    def end_wave(self, wave):
        wave.end = self.now
        wave.simd.occupy(wave.shader, -1)
        wave.simd.cu.waves -= 1
        self.use_cycle()
        if wave.stage == 'ds':
            self.ds_wave_ended(wave)
            return
        wave.gang.live -= 1
        if wave.gang.live == 0:
            wave.gang.on_last_end()

    # --- RELEASE

    def release(self):
        finished = [w for cu in self.cus for simd in cu.simds for w in simd.finished(self.now)]
        finished += [w for at, w in self.timers if at <= self.now]
        self.timers = [t for t in self.timers if t[0] > self.now]
        for wave in sorted(finished, key=Wave.order):                   # [C8]
            self.next_step(wave)
        for se in self.ses:
            self.pass_primitives(se)

    def ls_ended(self, group):
        group.ls_end = self.now
        group.se.hs_ready.append(group)

    def hs_ended(self, group):
        group.hs_end = self.now
        group.seen = self.now + self.gpu.hs_to_tess_latency
        if group.needs_barrier:
            group.cu.barriers += 1
        if group.offchip and group.draw.ds_threshold == 0:
            self.free_lds(group)
        if group.holds_buffer and not group.offchip:                    # [C26]
            self.free_buffer(group)

    def ds_wave_ended(self, wave):
        group = wave.group
        group.ds_ended += 1
        threshold = group.draw.ds_threshold
        if wave.onchip:
            group.onchip_ended += 1
            if group.offchip and group.onchip_ended == threshold:        # [C27]
                self.free_lds(group)
        self.end_group_if_done(group)

    def end_group_if_done(self, group):
        """E12."""
        if group.consumed is None or group.ds_ended < group.ds_made:
            return
        if group.lds_freed is None:
            self.free_lds(group)
        if group.holds_buffer:
            self.free_buffer(group)
        group.end = self.now
        group.draw.groups_left -= 1
        self.finish_part(group.draw)

    def free_lds(self, group):
        if group.block:
            group.cu.lds.give(group.block)
        group.lds_freed = self.now
        self.use_cycle()

    def free_buffer(self, group):
        group.holds_buffer = False
        self.buffers_free += 1
        self.use_cycle()

    def pass_primitives(self, se):
        """E13: in DS wave order, exact."""
        while se.setup_queue and se.setup_queue[0].end is not None:
            wave = se.setup_queue[0]
            if wave.passed_at is None:                                     # [C30]
                begin = max(Fraction(wave.end), se.setup_free)
                se.setup_free = begin + Fraction(wave.prims) / self.gpu.prims_per_clk
                wave.passed_at = ceil(se.setup_free)
            if wave.passed_at > self.now:
                return
            se.setup_queue.popleft()
            se.export_free += 1                                            # [C28]
            wave.group.draw.waves_left -= 1
            self.finish_part(wave.group.draw)

    def finish_part(self, draw):
        draw.end = self.now
        self.use_cycle()

    # --- DELIVER

    def deliver(self):
        starting = [w for w in self.not_started if w.start <= self.now]
        self.not_started = [w for w in self.not_started if w.start > self.now]
        for wave in starting:
            self.next_step(wave)
        self.run_vgt()
        for se in self.ses:
            self.run_tessellator(se)
            self.pass_primitives(se)
        self.start_work()

    def start_work(self):
        for name, queue in self.queues.items():
            while queue:
                item = queue[0]
                if item == 'barrier':
                    if not all(work.done() for work in self.started[name]):
                        break
                elif isinstance(item, Draw):
                    self.started[name].append(item)
                    self.vgt_draws.append((self.now, item))
                    self.run_vgt()
                else:
                    self.started[name].append(item)
                    item.begin = self.now
                    for _ in range(item.count):                            # [C21]
                        self.ses[self.cs_next_se].cs_queue.append(ComputeGroup(item))
                        self.cs_next_se = (self.cs_next_se + 1) % len(self.ses)
                queue.popleft()

    def vgt_offer(self):
        """The VGT's next complete group: (group, its SE, exact time of its last patch), or None."""
        while self.vgt_draws:
            ready, draw = self.vgt_draws[0]
            if draw.begin is None:                                         # [C9] [C11] [C13]
                self.vgt_clock = max(self.vgt_clock, Fraction(ready))
                draw.begin = draw.end = ceil(self.vgt_clock)
                if draw.groups and self.vgt_last_se is not None:
                    self.vgt_next_se = (self.vgt_last_se + 1) % len(self.ses)
            if draw.next_group == len(draw.groups):
                self.vgt_draws.popleft()
                continue
            group = draw.groups[draw.next_group]
            step = draw.next_group // draw.groups_per_primgroup
            se = self.ses[(self.vgt_next_se + step) % len(self.ses)]
            return group, se, self.vgt_clock + Fraction(len(group.patches)) / self.gpu.patches_per_clk
        return None

    def run_vgt(self):
        while True:
            offer = self.vgt_offer()
            if offer is None:
                return
            group, se, exact = offer
            if ceil(exact) > self.now or len(se.vgt_queue) == self.gpu.vgt_queue_depth:
                return
            self.vgt_clock = exact + (self.now - ceil(exact))                # [C10]
            self.vgt_last_se = se.index
            group.se, group.arrive = se, self.now
            group.draw.next_group += 1
            se.vgt_queue.append(group)

    def run_tessellator(self, se):
        while True:
            group = se.tess_group
            if group is None:
                if not se.admitted or se.admitted[0].seen is None or se.admitted[0].seen > self.now:
                    return
                group = se.tess_group = se.admitted.popleft()
                se.tess_base = max(Fraction(group.seen), se.tess_free)      # [C23]
                se.tess_plan, se.tess_total = group.plan()
                se.tess_next = 0
            if se.tess_next < len(se.tess_plan):
                offset, prims = se.tess_plan[se.tess_next]
                made = ceil(se.tess_base + offset)
                if made > self.now or len(se.ds_queue) == self.gpu.ds_queue_depth:
                    return
                se.tess_base += self.now - made                             # [C24]
                se.tess_next += 1
                self.make_ds_wave(se, group, prims)
            else:
                exact = se.tess_base + se.tess_total
                if ceil(exact) > self.now:
                    return
                se.tess_free, se.tess_group = exact, None
                group.consumed = self.now                                    # [C25]
                se.ring_free += group.ring_bytes
                self.use_cycle()
                self.end_group_if_done(group)

    def make_ds_wave(self, se, group, prims):
        draw = group.draw
        wave = Wave('ds', draw.ds, draw.ds.program, None, se)
        wave.group, wave.prims = group, prims
        wave.onchip = not group.offchip or group.ds_made < draw.ds_threshold    # E11
        group.ds_made += 1
        draw.waves_left += 1
        se.ds_queue.append(wave)
        se.setup_queue.append(wave)

    # --- ARBITRATE

    def arbitrate(self):
        self.launched = False
        for se in self.ses:
            credit = int(self.gpu.waves_per_clk)                            # [C14]
            credit = self.launch_ds(se, credit)
            credit = self.launch_hs(se, credit)
            credit = self.launch_groups(se, credit)
            self.launch_compute(se, credit)

    def launch_ds(self, se, credit):
        while credit and se.ds_queue and se.export_free:
            wave = se.ds_queue[0]
            if wave.onchip:
                cu = wave.group.cu
                placement = cu.place(wave.shader, 1)
                cu.ds_waiting = placement is None
            else:
                cu, placement = self.find_offchip_cu(se, wave.shader)
            if placement is None:
                return credit
            self.reserve(cu, placement, [wave])
            se.ds_queue.popleft()
            se.export_free -= 1
            self.launch(wave)
            credit -= 1
        return credit

    def find_offchip_cu(self, se, shader):
        cus = self.cus if self.gpu.ds_offchip_scope == 'gpu' else se.cus
        for k in range(len(cus)):
            at = (se.pointer['ds'] + k) % len(cus)
            if cus[at].open_to_one_wave_work():
                placement = cus[at].place(shader, 1)
                if placement:
                    se.pointer['ds'] = (at + 1) % len(cus)
                    return cus[at], placement
        return None, None

    def start_reserved(self, se, stage, credit):
        while credit and se.starting[stage]:
            self.launch(se.starting[stage].popleft())
            credit -= 1
        return credit

    def launch_hs(self, se, credit):
        credit = self.start_reserved(se, 'hs', credit)
        for group in list(se.hs_ready):
            if not credit:
                break
            cu, shader = group.cu, group.draw.hs
            first = not cu.ds_waiting and (not cu.hs_waiting or cu.hs_waiting[0] is group)
            placement = cu.place(shader, group.hs_waves) if first else None
            if placement is None:                                            # [C17] [C18]
                if group not in cu.hs_waiting:
                    cu.hs_waiting.append(group)
                continue
            if group in cu.hs_waiting:
                cu.hs_waiting.remove(group)
            se.hs_ready.remove(group)
            self.reserve_gang(se, cu, placement, 'hs', shader, lambda g=group: self.hs_ended(g))
            credit = self.start_reserved(se, 'hs', credit)
        return credit

    def reserve_gang(self, se, cu, placement, stage, shader, on_last_end):
        count = len(placement[0])
        gang = Gang(count, on_last_end)
        waves = [Wave(stage, shader, shader.program, gang, se) for _ in range(count)]
        self.reserve(cu, placement, waves)
        se.starting[stage].extend(waves)

    def find_group_cu(self, se, stage, head, shader, waves, lds_bytes, needs_barrier):
        """E6: the next CU where everything fits at once, or None; keeps the starvation record."""
        n = len(se.cus)
        lds_somewhere = False
        for k in range(n):
            at = (se.pointer[stage] + k) % n
            cu = se.cus[at]
            if lds_bytes and (cu.lds.find(lds_bytes) is None or cu.draining_for not in (None, head)):
                continue
            lds_somewhere = True
            if not cu.open_to_one_wave_work() or (needs_barrier and cu.barriers == 0):
                continue
            placement = cu.place(shader, waves)
            if placement:
                se.pointer[stage] = (at + 1) % n
                for other in se.cus:
                    if other.draining_for is head:
                        other.draining_for = None
                return cu, placement
        self.note_starvation(se, stage, head, lds_somewhere)
        return None

    def note_starvation(self, se, stage, head, lds_somewhere):
        limit = self.gpu.lds_starvation_cycles                               # [C19]
        if lds_somewhere:
            head.lds_refused_since = None
        elif head.lds_refused_since is None:
            head.lds_refused_since = self.now
        elif limit and self.now - head.lds_refused_since >= limit:
            in_turn = se.cus[se.pointer[stage]:] + se.cus[:se.pointer[stage]]
            free = [cu for cu in in_turn if cu.draining_for is None]
            if free and all(cu.draining_for is not head for cu in se.cus):
                free[0].draining_for = head

    def take_lds(self, cu, lds_bytes):
        block = cu.lds.take(lds_bytes) if lds_bytes else None
        cu.peak_lds = max(cu.peak_lds, cu.lds.used())
        return block

    def launch_groups(self, se, credit):
        stage = 'hs' if self.gpu.merged_ls_hs else 'vs'
        credit = self.start_reserved(se, stage, credit)
        while credit and se.vgt_queue:
            group = se.vgt_queue[0]
            if not self.admit(se, group, stage):
                break
            se.vgt_queue.popleft()
            credit = self.start_reserved(se, stage, credit)
        return credit

    def admit(self, se, group, stage):
        """All or nothing."""
        draw = group.draw
        if group.ring_bytes > se.ring_free or (draw.offchip and self.buffers_free == 0):
            return False
        if stage == 'hs':
            shader, waves, then = draw.hs, group.hs_waves, self.hs_ended
        else:
            shader, waves, then = draw.vs, group.ls_waves, self.ls_ended
        found = self.find_group_cu(se, 'vs', group, shader, waves, group.lds_bytes, group.needs_barrier)
        if found is None:
            return False
        group.cu, placement = found
        group.block = self.take_lds(group.cu, group.lds_bytes)
        group.cu.barriers -= group.needs_barrier
        se.ring_free -= group.ring_bytes
        if draw.offchip:
            self.buffers_free -= 1
            group.holds_buffer = True
        group.admit = self.now
        se.admitted.append(group)
        self.reserve_gang(se, group.cu, placement, stage, shader, lambda: then(group))
        return True

    def launch_compute(self, se, credit):
        credit = self.start_reserved(se, 'cs', credit)
        while credit and se.cs_queue:
            head = se.cs_queue[0]
            work = head.dispatch
            several = work.waves > 1
            found = self.find_group_cu(se, 'cs', head, work.shader, work.waves, work.lds_bytes, several)
            if found is None:
                break
            cu, placement = found
            block = self.take_lds(cu, work.lds_bytes)
            cu.barriers -= several
            se.cs_queue.popleft()

            def ended(cu=cu, block=block, work=work, several=several):       # [C22]
                if block:
                    cu.lds.give(block)
                cu.barriers += several
                work.groups_left -= 1
            self.reserve_gang(se, cu, placement, 'cs', work.shader, ended)
            credit = self.start_reserved(se, 'cs', credit)
        return credit

    # --- The clock

    def next_cycle(self):
        """The next cycle in which something can happen, or None."""
        times = [simd.next_finish() for cu in self.cus for simd in cu.simds if simd.running]
        times += [at for at, _ in self.timers]
        times += [w.start for w in self.not_started]
        offer = self.vgt_offer()
        if offer:
            times.append(ceil(offer[2]))
        for se in self.ses:
            if se.tess_group is None:
                if se.admitted and se.admitted[0].seen is not None:
                    times.append(max(se.admitted[0].seen, ceil(se.tess_free)))
            elif se.tess_next < len(se.tess_plan):
                times.append(ceil(se.tess_base + se.tess_plan[se.tess_next][0]))
            else:
                times.append(ceil(se.tess_base + se.tess_total))
            if se.setup_queue and se.setup_queue[0].passed_at is not None:
                times.append(se.setup_queue[0].passed_at)
            for queue in (se.vgt_queue, se.cs_queue):
                if queue and queue[0].lds_refused_since is not None and self.gpu.lds_starvation_cycles:
                    times.append(queue[0].lds_refused_since + self.gpu.lds_starvation_cycles)
        if self.launched:                # launch credit, and places in queues, for the next cycle
            times.append(self.now + 1)
        # What was due already waits for a launch (a full queue).
        return min((t for t in times if t > self.now), default=None)

    def finished(self):
        return (not any(self.queues.values())
                and all(work.done() for works in self.started.values() for work in works))

    def run(self, every_cycle=False):
        while True:
            self.release()
            self.deliver()
            self.arbitrate()
            if self.finished():
                break
            then = self.next_cycle()
            if then is None:
                raise Stuck(self.diagnosis())
            if every_cycle:
                then = self.now + 1
            self.wave_cycles += (then - self.now) * sum(cu.waves for cu in self.cus)
            self.lds_cycles += (then - self.now) * sum(cu.lds.used() for cu in self.cus)
            self.now = then
        self.check_all_returned()
        return self.result()

    def diagnosis(self):
        lines = ['cycle %d: no progress is possible' % self.now]
        for se in self.ses:
            lines.append('SE%d: vgt queue %d, hs ready %d, ds queue %d, cs queue %d, ring free %d, '
                         'export free %d'
                         % (se.index, len(se.vgt_queue), len(se.hs_ready), len(se.ds_queue),
                            len(se.cs_queue), se.ring_free, se.export_free))
        return '\n'.join(lines)

    def check_all_returned(self):
        gpu = self.gpu
        assert self.buffers_free == gpu.offchip_buffers
        for se in self.ses:
            assert se.ring_free == gpu.tf_ring_bytes_per_se
            assert se.export_free == gpu.export_waves_per_se
            assert not (se.vgt_queue or se.hs_ready or se.ds_queue or se.cs_queue or se.admitted)
        for cu in self.cus:
            assert not cu.lds.blocks and cu.barriers == gpu.barriers_per_cu and cu.waves == 0
            for simd in cu.simds:
                assert (simd.slots, simd.vgprs) == (gpu.waves_per_simd, gpu.vgprs_per_simd)
        for draw in self.draws:
            for group in draw.groups:
                points = sum(p.points for p in group.patches)
                assert group.ds_made == ceil_div(points, gpu.wave_size)

    # --- The answer

    def draw_totals(self, draw):
        groups, patches = draw.groups, draw.patches
        offchip = sum(g.offchip for g in groups)
        waves = sum(g.ds_made for g in groups)
        onchip = sum(min(g.ds_made, draw.ds_threshold) if g.offchip else g.ds_made for g in groups)
        return {
            'patches': len(patches), 'culled_patches': sum(p.culled for p in patches),
            'threadgroups': len(groups), 'threadgroups_onchip': len(groups) - offchip,
            'threadgroups_offchip': offchip,
            'vs_waves': sum(g.ls_waves for g in groups), 'hs_waves': sum(g.hs_waves for g in groups),
            'ds_waves': waves, 'ds_waves_onchip': onchip, 'ds_waves_offchip': waves - onchip,
            'gs_waves': 0, 'ps_waves': 0, 'cs_waves': 0,
            'ds_threads': sum(p.points for p in patches), 'primitives': sum(p.prims for p in patches),
            'offchip_bytes_written': 0, 'offchip_bytes_read': 0,
            'tf_ring_bytes': sum(g.ring_bytes for g in groups)}

    def result(self):
        gpu, totals, draws, groups = self.gpu, None, [], []
        for index, draw in enumerate(self.draws):
            mine = self.draw_totals(draw)
            totals = {k: v + mine[k] for k, v in totals.items()} if totals else dict(mine)
            n = draw.patches_per_group
            whole = Group(draw, 0, [Patch('tri', 'integer', 'point', [0] * 3, [0])] * n)
            draws.append({
                'name': draw.name, 'totals': mine, 'mode': draw.mode, 'patches_per_threadgroup': n,
                'tf_threshold': float(draw.tf_threshold or 0), 'ds_wave_threshold': draw.ds_threshold,
                'lds_bytes_per_threadgroup': draw.lds_per_patch * n,
                'lds_allocated_bytes_per_threadgroup': whole.lds_bytes,
                'vs_waves_per_threadgroup': whole.ls_waves, 'hs_waves_per_threadgroup': whole.hs_waves,
                'begin_cycle': draw.begin, 'end_cycle': draw.end})
            groups += [{
                'draw': index, 'group': g.index, 'patches': len(g.patches), 'se': g.se.index,
                'cu': g.cu.index, 'offchip': g.offchip, 'arrive': g.arrive, 'admit': g.admit,
                'ls_end': g.ls_end, 'hs_end': g.hs_end, 'tess_end': g.consumed,
                'lds_freed': g.lds_freed, 'end': g.end, 'ds_waves': g.ds_made} for g in draw.groups]
        totals = totals or dict.fromkeys(('patches', 'threadgroups', 'ds_waves', 'primitives'), 0)
        totals['cs_waves'] = self.totals['cs_waves']
        span = max(1, self.elapsed) * len(self.cus)
        return {
            'schema_version': 1, 'scenario': self.scenario.get('name', ''),
            'gpu': str(getattr(gpu, 'name', '')), 'seed': self.scenario.get('seed', 0),
            'elapsed_cycles': self.elapsed,
            'elapsed_us': float(Fraction(self.elapsed) / Fraction(gpu.clock_mhz)),
            'totals': totals, 'draws': draws,
            'occupancy': {'mean_waves_per_cu': self.wave_cycles / span,
                          'peak_waves_per_cu': max(cu.peak_waves for cu in self.cus)},
            'lds': {'mean_fraction': self.lds_cycles / (span * gpu.lds_bytes_per_cu),
                    'peak_bytes_per_cu': max(cu.peak_lds for cu in self.cus)},
            'groups': groups}


def set_value(tree, key, text):
    """--set work.0.tessellation.ds_wave_threshold=2, gpu.FIELD=VALUE"""
    *path, last = key.split('.')
    for part in path:
        tree = tree[int(part) if isinstance(tree, list) else part]
    try:
        value = json.loads(text, parse_float=Fraction)
    except ValueError:
        value = text
    tree[int(last) if isinstance(tree, list) else last] = value


def simulate(path, gpu=None, settings=(), every_cycle=False):
    path = Path(path)
    scenario = load_json(path)
    if gpu:
        scenario['gpu'] = gpu
    if isinstance(scenario['gpu'], str):
        scenario['gpu'] = {'extends': scenario['gpu']}
    for setting in settings:
        set_value(scenario, *setting.split('=', 1))
    return Model(scenario, load_gpu(scenario['gpu'], path.parent)).run(every_cycle)


def main():
    parser = argparse.ArgumentParser(description='slow reference model of the tessellation rules')
    parser.add_argument('scenario')
    parser.add_argument('--gpu')
    parser.add_argument('--set', action='append', default=[], metavar='KEY=VALUE')
    parser.add_argument('--every-cycle', action='store_true')
    args = parser.parse_args()
    try:
        print(json.dumps(simulate(args.scenario, args.gpu, args.set, args.every_cycle), indent=1))
    except InputError as error:
        print('naive_model: %s' % error, file=sys.stderr)
        return 3
    except Stuck as error:
        print('naive_model: %s' % error, file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
