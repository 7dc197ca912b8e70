#!/usr/bin/env bash
# Model section 6, facts section 4: 4 bilinear samples a clock and CU. Straight down on one triangle
# of a magnified texture, all quads are full: 52 CUs at 1.825 GHz make 379.6 G samples a second, 20
# at 1.563 GHz 125.0 G, to 4 digits.
. "${0%/*}/lib.sh"

cat >"$scratch/peak.json" <<'END'
{ "gpu": "xbox_series_x", "work": [ { "type": "sample_feedback",
  "scene": { "width": 1024, "height": 512, "side": 1000, "camera_x": -200, "camera_y": 10,
             "camera_z": -200, "pitch": 90 },
  "texture": { "width": 1024, "height": 1024, "format": "8bpp" },
  "sampler": { "mip_filter": "point" },
  "feedback": { "write_fraction": 0.25, "region_width": 64, "region_height": 64 },
  "ps": { "vgprs": 16, "valu": 1 } } ] }
END

# number KEY: the first of that name in the result
number() {
    sed -n "s/^ *\"$1\": *\([-+.0-9e]*\).*/\1/p" "$scratch/out" | head -n 1
}

expect_peak() { # GPU GIGASAMPLES
    run "$scratch/peak.json" --gpu "$1" --format json --set sample_feedback.feedback.write_fraction=1
    expect_exit 0
    peak=$(number samples_per_second | awk '{ printf "%.1f", $1 / 1e9 }')
    [ "$peak" = "$2" ] || fail "$1 makes $peak G samples a second, not $2"
}

expect_peak xbox_series_x 379.6
expect_peak xbox_series_s 125.0
[ "$(number read_samples)" = 524288 ] || fail "not one sample a pixel"
[ "$(number operations)" = 524288 ] || fail "not one operation a pixel"

# A frame of plain sampling fits its bound: 524288 / 4 clocks over 52 CUs.
run "$scratch/peak.json" --format json --set sample_feedback.feedback.write_fraction=0
[ "$(number atomic_requests)" = 0 ] || fail "atomics without feedback"
[ "$(number elapsed_cycles)" -ge 2521 ] || fail "faster than the texture units"
