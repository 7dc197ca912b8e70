#!/usr/bin/env bash
# What sampler feedback does not do (S6), what maps, filters and stages cannot be (S1, S7, S9): each
# an error at its place, exit 3, no output.
. "${0%/*}/lib.sh"

# scenario TEXTURE SAMPLER FEEDBACK [RESIDENCY-MEMBER] [SHADER]; one object a line
scenario() {
    cat >"$scratch/s.json" <<END
{ "gpu": "xbox_series_x", "work": [ { "type": "sample_feedback",
  "scene": { "width": 16, "height": 16 },
  "texture": $1,
  "sampler": $2,
  "feedback": $3,
  ${4:-}
  ${5:-\"ps\": { \"valu\": 1 \}} } ] }
END
    run "$scratch/s.json"
}

expect_refusal() { # LINE WORDS
    expect_exit 3
    expect_no_out
    expect_err "s.json:$1:"
    expect_err "$2"
}

good='{ "width": 1024, "height": 1024, "format": "8bpp" }'
region='{ "region_width": 64, "region_height": 64 }'

scenario "$good" '{}' "$region"
expect_exit 0

# S6
scenario "$good" '{}' '{ "region_width": 64, "region_height": 64, "texel_offset": [1, 0, 0] }'
expect_refusal 5 "texel offset (1, 0, 0)"
scenario '{ "width": 1024, "height": 1024, "samples": 4 }' '{}' "$region"
expect_refusal 3 "MSAA"
scenario "$good" '{ "unnormalised": true }' "$region"
expect_refusal 4 "unnormalised coordinates"
scenario "$good" '{}' '{ "region_width": 64, "region_height": 64, "gather": true }'
expect_refusal 5 "gather"

# Textures and regions
scenario '{ "width": 0, "height": 1024 }' '{}' "$region"
expect_refusal 3 "/work/0/texture/width: got 0"
scenario '{ "width": 1024, "height": 1024, "mips": 12 }' '{}' "$region"
expect_refusal 3 "mips 12"
scenario "$good" '{}' '{ "region_width": 48, "region_height": 64 }'
expect_refusal 5 "region width 48: must be a power of two"
scenario "$good" '{}' '{ "region_width": 64, "region_height": 2 }'
expect_refusal 5 "region height 2"
scenario "$good" '{}' '{ "region_width": 1024, "region_height": 64 }'
expect_refusal 5 "region width 1024"
scenario "$good" '{ "min_lod": 3, "max_lod": 2 }' "$region"
expect_refusal 4 "min_lod 3"
scenario "$good" '{ "max_aniso": 0 }' "$region"
expect_refusal 4 "got 0"
scenario "$good" '{ "mip_bias": NaN }' "$region"
expect_exit 3

# S7: slopes and offsets that the sampler cannot hold, and maps that no policy can read
scenario "$good" '{}' "$region" '"residency": { "slope_u": 6 },'
expect_refusal 6 "6"
scenario "$good" '{}' "$region" '"residency": { "offset_v": 0.2 },'
expect_refusal 6 "0.2"
scenario "$good" '{ "address_u": "border" }' "$region" '"residency": { },'
expect_refusal 6 "border"
scenario '{ "width": 1000, "height": 1024 }' '{}' "$region" '"residency": { },'
expect_refusal 6 "powers of two"
scenario "$good" '{}' '{ "map": "mip_region_used", "region_width": 64, "region_height": 64 }' \
    '"residency": { },'
expect_refusal 5 "needs \"minmip\""

# A pair that does not fit is steepened, with a warning (S7).
scenario "$good" '{}' "$region" '"residency": { "slope_u": 2.5, "offset_u": 0.25 },'
expect_exit 0
expect_err "slope 4 is used"

# S9: a LOD or gradients outside pixel shaders
scenario "$good" '{}' "$region" '' '"cs": { "valu": 1 }'
expect_refusal 5 "must be \"grad\" or \"level\""
for kind in grad level; do
    scenario "$good" '{}' "{ \"region_width\": 64, \"region_height\": 64, \"instruction\": \"$kind\" }" \
        '' '"cs": { "valu": 1 }'
    expect_exit 0
done
scenario "$good" '{}' "$region" '"cs": { },'
expect_refusal 6 "one of them"
scenario "$good" '{}' '{ "regoin_width": 64 }'
expect_refusal 5 "did you mean \"region_width\""
