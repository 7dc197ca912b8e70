#!/usr/bin/env bash
# Meshes, BVH files and scenarios of rays that are wrong: an error that names the file, or a result.
. "${0%/*}/lib.sh"

ray=(--origin "0,0,2" --direction "0,0,-1")
triangle=$'v 0 0 0\nv 1 0 0\nv 0 1 0\n'

# refused NAME WORDS: by `tesssim ray`, with the file and the words in the complaint.
refused() {
    run ray "$scratch/$1" "${ray[@]}"
    expect_exit 3
    expect_no_out
    expect_err "$1"
    expect_err "$2"
}

refused missing.obj "cannot be read"
: >"$scratch/empty.obj"
refused empty.obj "triangle"
printf 'v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n' >"$scratch/nan.obj"
refused nan.obj "nan.obj:2"
printf '%sf 1 2 4\n' "$triangle" >"$scratch/index.obj"
refused index.obj "index.obj:4"

# One triangle; one without area, which no ray hits.
printf '%sf 1 2 3\n' "$triangle" >"$scratch/one.obj"
run ray "$scratch/one.obj" --origin 0.25,0.25,2 --direction 0,0,-1 --write-bvh "$scratch/one.bvh"
expect_exit 0
expect_out "hit mesh triangle 0,"
printf '%sf 1 2 2\n' "$triangle" >"$scratch/flat.obj"
run ray "$scratch/flat.obj" "${ray[@]}"
expect_exit 0
expect_out "miss"

# poke NAME OFFSET BYTES: a copy of the BVH with other bytes. The descriptor begins at byte 8, the
# root at 24, the first node at 64.
poke() {
    cp "$scratch/one.bvh" "$scratch/$1"
    # shellcheck disable=SC2059
    printf "$3" | dd of="$scratch/$1" bs=1 seek="$2" conv=notrunc status=none
    run ray "$scratch/$1" "${ray[@]}"
    expect_exit 3
    expect_no_out
    expect_err "$1"
}

poke magic.bvh 0 'X'
poke must-be-zero.bvh 13 '\377'
poke type-of-resource.bvh 23 '\000'
poke reserved-root.bvh 24 '\007\000\000\000'
poke root-out-of-bounds.bvh 24 '\005\377\377\000'
for length in 0 7 63 64 100; do
    head -c "$length" "$scratch/one.bvh" >"$scratch/cut.bvh"
    refused cut.bvh "cut.bvh"
done

# scenario WORK WORDS: refused with exit code 3 and the words.
scenario() {
    printf '{"gpu": "xbox_series_x", "work": [{"type": "rays", %s}]}' "$1" >"$scratch/s.json"
    run check "$scratch/s.json"
    expect_exit 3
    expect_err "s.json:1:"
    expect_err "$2"
}

scene='"scene": {"procedural": "sphere", "size": 4}'
scenario '"rays": {}' "missing, expected an object such as"
scenario '"scene": {}' "expected an object such as"
scenario '"scene": {"mesh": "a.obj", "bvh": "b"}' "not two"
scenario '"scene": {"mesh": "a.obj"}' "cannot be read"
scenario '"scene": {"mesh": "empty.obj"}' "triangle"
scenario '"scene": {"bvh": "cut.bvh"}' "cut.bvh"
scenario '"scene": {"bvh": "one.bvh"}, "bvh": {"bins": 8}' "options in the file"
scenario "$scene, \"bvh\": {\"triangles_per_node\": 5}" "from 1 to 4"
scenario "$scene, \"rays\": {\"wave_lanes\": 48}" "32 or 64"
scenario "$scene, \"rays\": {\"kind\": \"list\"}" "path of a file of rays"
scenario "$scene, \"rays\": {\"kind\": \"shadow\"}" "position of the light"
scenario "$scene, \"rays\": {\"camera\": {\"position\": [1, 2]}}" "a list of 3 numbers"
scenario "$scene, \"rays\": {\"camera\": {\"position\": [0, 0, 0], \"look_at\": [0, 0, 0]}}" "camera"
scenario "$scene, \"rays\": {\"widht\": 4}" "did you mean \"width\""
scenario "$scene, \"unit\": {\"edges\": \"open\"}" "single_hit"
scenario "$scene, \"program\": {\"vgprs\": 300}" "vector registers"
scenario "$scene, \"mix\": {}" "a mix has no rays"
scenario '"mix": {"nodes_min": 9, "nodes_max": 3}' "nodes_max"
