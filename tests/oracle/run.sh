#!/bin/sh
# run.sh [OPTIONS] HEDDLE PROGRAMS [FIRST_SEED]: generated programs through heddle, against the interpreter.
# B is the build tree, JOBS the number of processes, DIR where the files go.
B=${B:-build}
exec "$B/tests/oracle-run" --serve "$B/tests/oracle-serve" --jobs "${JOBS:-2}" --dir "${DIR:-$B/tests/oracle}" "$@"
