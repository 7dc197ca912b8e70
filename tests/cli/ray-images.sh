#!/usr/bin/env bash
# Images of a run: PNG and PPM of the camera's size; nothing is written when there is none to draw.
. "${0%/*}/lib.sh"

printf '%s' '{"gpu": "xbox_series_s", "work": [{"type": "rays", "scene": {"procedural": "sphere"},
    "rays": {"width": 40, "height": 30}}]}' >"$scratch/s.json"

run "$scratch/s.json" --cost-image "$scratch/cost.ppm" --hit-image "$scratch/hit.ppm"
expect_exit 0
expect_no_err
expect_out "Rays"
for image in cost hit; do
    [ "$(head -c 9 "$scratch/$image.ppm" | tr '\n' ' ')" = "P6 40 30 " ] || fail "$image is no PPM"
    [ "$(stat -c %s "$scratch/$image.ppm")" -eq $((13 + 3 * 40 * 30)) ] || fail "$image has a wrong size"
done
cmp -s "$scratch/cost.ppm" "$scratch/hit.ppm" && fail "both images are the same"

# With libpng, a PNG; without it, an error that says so.
run "$scratch/s.json" --hit-image "$scratch/hit.png"
if [ "$exit_code" -eq 0 ]; then
    [ "$(head -c 4 "$scratch/hit.png" | tail -c 3)" = PNG ] || fail "hit.png is no PNG"
else
    expect_err "libpng"
fi

run scenarios/hello.json --hit-image "$scratch/none.ppm"
expect_exit 2
expect_no_out
[ ! -e "$scratch/none.ppm" ] || fail "an image of nothing was written"

run "$scratch/s.json" --hit-image "$scratch/no/folder.ppm"
expect_exit 1
expect_err "folder.ppm"
