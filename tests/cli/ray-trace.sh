#!/usr/bin/env bash
# One ray against a mesh and against the BVH file written from it: the same nodes, the same hit.
. "${0%/*}/lib.sh"

cat >"$scratch/square.obj" <<'END'
v -1 -1 0
v 1 -1 0
v 1 1 0
v -1 1 0
f 1 2 3 4
END
ray=(--origin "0.5,0.25,2" --direction "0,0,-1")

run ray "$scratch/square.obj" "${ray[@]}" --write-bvh "$scratch/square.bvh"
expect_exit 0
expect_no_err
expect_out "1 box nodes, 1 triangle nodes, 2 triangles"
expect_out "hit mesh triangle 0,"
expect_out "t 2,"
cp "$scratch/out" "$scratch/first"

run ray "$scratch/square.bvh" "${ray[@]}"
expect_exit 0
cmp -s "$scratch/first" "$scratch/out" || fail "the written BVH gives another trace"

# An end before the surface; a ray beside it; a lane that the hardware drops.
run ray "$scratch/square.bvh" "${ray[@]}" --extent 1.5
expect_out "miss"
run ray "$scratch/square.bvh" --origin 3,0,2 --direction 0,0,-1
expect_out "miss"
run ray "$scratch/square.bvh" --origin 0,nan,2 --direction 0,0,-1
expect_exit 0
expect_out "inactive"

for arguments in "" "$scratch/square.obj" "$scratch/square.obj --origin 0,0,2" \
    "$scratch/square.obj --origin 0,0 --direction 0,0,1" \
    "$scratch/square.obj --origin 0,0,x --direction 0,0,1" \
    "$scratch/square.obj --origin 0,0,2 --direction 0,0,1 --extent far" \
    "$scratch/square.obj --origin 0,0,2 --direction 0,0,1 --set edges=round" \
    "$scratch/square.obj --origin 0,0,2 --direction 0,0,1 --set bins=1" \
    "--cases a.json b.obj"; do
    # shellcheck disable=SC2086
    run ray $arguments
    expect_exit 2
    expect_no_out
done
