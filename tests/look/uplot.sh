#!/usr/bin/env bash
# The vendored uPlot is what its makers published: the npm package of the version in its banner.
# Needs npm and the registry; skipped where either is missing.
set -eu
cd "$1/src/io/report/uplot"
command -v npm >/dev/null || { echo "SKIPPED: no npm"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
version=$(sed -n '1s/.*(v\([0-9.]*\)).*/\1/p' uPlot.iife.min.js)
[ -n "$version" ] || { echo "FAILED: no version in the banner"; exit 1; }
(cd "$scratch" && timeout 50 npm pack --silent "uplot@$version" >/dev/null 2>&1) ||
    { echo "SKIPPED: the package cannot be fetched"; exit 77; }
tar -xzf "$scratch"/uplot-*.tgz -C "$scratch"
cmp uPlot.iife.min.js "$scratch/package/dist/uPlot.iife.min.js"
cmp uPlot.min.css "$scratch/package/dist/uPlot.min.css"
cmp LICENSE "$scratch/package/LICENSE"
