#!/bin/bash
# A search on all cores of several machines with GNU parallel; the machines share a file system.
#   examples/cluster/parallel.sh PROGRAM [options of heddle check]
# MACHINES: a file for `parallel --sshloginfile`, one host on a line; unset: this machine alone.  Each needs heddle in its PATH, and
# the key of this one (~/.config/heddle/key; otherwise give --trust).
set -eu
program=$1
shift
units=${UNITS:-units}

# After an interruption the same command goes on with the units that are there.
[ -e "$units/manifest" ] || heddle split "$@" -n "${N:-1000}" -o "$units" "$program"

# A unit that is not through after a minute becomes smaller units: explore until none is without a result.
# Exit status 1 of `heddle check` is a violation; `heddle merge` reports it.
# A search that ended while it was split has no units.
shopt -s nullglob
while :; do
    todo=$(for unit in "$units"/*.unit; do [ -e "${unit%.unit}.result" ] || echo "$unit"; done)
    [ -n "$todo" ] || break
    echo "$todo" | parallel ${MACHINES:+--sshloginfile "$MACHINES" --workdir .} --halt now,fail=1 \
        heddle check -q --no-minimise --time 1m "$@" --unit {} "$program" '>/dev/null || [ $? = 1 ]'
done

heddle merge "$@" "$units" "$program"
