#!/bin/sh
# scripts/check-layers finds each kind of violation, at its line, and lets clean code pass.
#
# usage: test-check-layers.sh CHECK-LAYERS
#
# All good files go into one tree and all bad ones into another, so that two runs do.
set -eu
check_layers=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0
failed=0

for tree in good bad; do
  for layer in base engine hw stats workload model io cli; do
    mkdir -p "$work/$tree/src/$layer"
    : >"$work/$tree/src/$layer/a.h"
  done
  : >"$work/$tree/src/engine/rng.h"
  : >"$work/$tree/src/tesssim.h"
done

accept() { # NAME FILE TEXT
  printf '%b' "$3" >"$work/good/src/$2"
  printf '%s\t%s\n' "$2" "$1" >>"$work/accepted"
}

refuse() { # NAME FILE LINE TEXT
  printf '%b' "$4" >"$work/bad/src/$2"
  printf '%s:%s\t%s\n' "$2" "$3" "$1" >>"$work/refused"
}

accept 'an include of its own and of a lower layer' model/include.c \
  '#include "model/a.h"\n#include "engine/a.h"\n#include <glib.h>\n'
accept 'the random streams in workload' workload/rng.c '#include "engine/rng.h"\n'
accept 'the facade in cli' cli/include.c '#include "cli/a.h"\n#include "tesssim.h"\n'
accept 'every layer but cli at the root' tesssim.c '#include "io/a.h"\n#include "model/a.h"\n'
accept 'json-c in io' io/json.c '#include <json-c/json.h>\n'
accept 'GSL in engine' engine/gsl.c '#include <gsl/gsl_randist.h>\n'
accept 'the error handler of GSL in cli' cli/gsl.c '#include <gsl/gsl_errno.h>\n'
accept 'allocation at set-up' model/init.c \
  'void tsim_b_init(TsimB *b)\n{\n    b->x = TSIM_ARENA_NEW(arena, int, 1);\n}\n'
accept 'words in comments and strings' model/words.c \
  '/* malloc(3)\n#include "io/a.h" */\nconst char *s = "g_new(x) printf(";\n'
accept 'printing in cli' cli/print.c 'int main(void)\n{\n    printf("x");\n}\n'

refuse 'an include that points up' base/up.h 2 '\n#include "engine/a.h"\n'
refuse 'an include sideways' stats/side.c 1 '#include "hw/a.h"\n'
refuse 'model in io' io/model.c 3 '/* a\n b */\n#include "model/a.h"\n'
refuse 'the queue in workload' workload/queue.c 1 '#include "engine/a.h"\n'
refuse 'a layer in cli' cli/layer.c 1 '#include "base/a.h"\n'
refuse 'a layer in the facade' tesssim.h 1 '#include "base/a.h"\n'
refuse 'the facade in a layer' model/facade.c 1 '#include "tesssim.h"\n'
refuse 'cli at the root' tesssim.c 1 '#include "cli/a.h"\n'
refuse 'an include relative to the file' model/relative.c 1 '#include "a.h"\n'
refuse 'an unknown layer' stray.c 1 ''
refuse 'json-c outside io' workload/json.c 1 '#include <json-c/json.h>\n'
refuse 'GSL outside engine and stats' model/gsl.c 1 '#  include <gsl/gsl_math.h>\n'
refuse 'distributions of GSL in cli' cli/gsl.c 1 '#include <gsl/gsl_randist.h>\n'
refuse 'an array that grows in the run' model/array.c 4 \
  'void tsim_b_take(TsimB *b)\n{\n    int i = 0;\n    g_array_append_val(b->all, i);\n}\n'
refuse 'arena memory in the run' engine/arena.c 3 \
  'void tsim_b_post(TsimB *b)\n{\n    b->x = TSIM_ARENA_NEW(b->arena, int, 1);\n}\n'
refuse 'malloc in the run' model/malloc.c 3 'static void f(void)\n{\n    x = malloc(1);\n}\n'
refuse 'printing in the library' io/print.c 3 \
  'static void f(void)\n{\n    fprintf(stderr, "x");\n}\n'
refuse 'exit in the library' base/exit.c 3 'static void f(void)\n{\n    exit(1);\n}\n'

verdict() { # STATUS NAME: one TAP line
  n=$((n + 1))
  if [ "$1" -eq 0 ]; then
    echo "ok $n - $2"
  else
    echo "not ok $n - $2"
    failed=1
  fi
}

status=0
"$check_layers" "$work/good" >"$work/good-output" || status=$?
verdict "$status" 'a clean tree passes'
status=0
"$check_layers" "$work/bad" >"$work/bad-output" || status=$?
verdict $((status != 1)) 'a violation is exit status 1'
while IFS="$(printf '\t')" read -r file name; do
  status=0
  ! grep -F "src/$file:" "$work/good-output" >&2 || status=1
  verdict "$status" "accepts $name"
done <"$work/accepted"
while IFS="$(printf '\t')" read -r place name; do
  file=${place%:*}
  status=0
  [ "$(grep -F "src/$file:" "$work/bad-output" | cut -d: -f1,2)" = "src/$place" ] || status=1
  verdict "$status" "refuses $name"
done <"$work/refused"

echo "1..$n"
exit "$failed"
