#!/usr/bin/env bash
# schema prints JSON Schemas; results and shipped files agree with them.
. "${0%/*}/lib.sh"

for name in scenario gpu result; do
    run schema "$name"
    expect_exit 0
    expect_no_err
    expect_out "http://json-schema.org/draft-07/schema#"
    cp "$scratch/out" "$scratch/$name.schema"
done
run schema weather
expect_usage_error

python3 -c 'import jsonschema' 2>"$scratch/err" || skip "no jsonschema for Python"
run scenarios/async_compute.json --format json
python3 - "$scratch" <<'PYTHON' || fail "a result does not follow its schema"
import json, pathlib, sys, jsonschema
scratch = pathlib.Path(sys.argv[1])
schema = json.loads((scratch / "result.schema").read_text())
result = json.loads((scratch / "out").read_text())
jsonschema.Draft7Validator.check_schema(schema)
jsonschema.validate(result, schema)
result["totals"]["patches"] = -1
try:
    jsonschema.validate(result, schema)
except jsonschema.ValidationError:
    sys.exit(0)
sys.exit("-1 patches pass")
PYTHON
