#!/bin/bash
# Mutable variables of the runtime archive that are not in the allow-list: the runtime's state
# belongs into the model (rolled back with the world) or into tool memory (never rolled back), and a
# static lies in the tested program's data, where it would be neither: tools/statics.sh ARCHIVE
set -u
archive=$1
allowed=$(dirname "$0")/statics.allow
found=$(nm --format=sysv --defined-only "$archive" 2>/dev/null |
    awk -F'|' '$7 ~ /^ *(\.data|\.bss|\.tdata|\.tbss|COMMON)/ && $7 !~ /\.data\.rel\.ro/ {
        gsub(/ /, "", $1); sub(/\.[0-9]+$/, "", $1); print $1 }' | grep -v '^\.' | sort -u)
bad=$(comm -23 <(echo "$found") <(sed 's/ *#.*//' "$allowed" | grep . | sort -u) | grep .)
if [ -n "$bad" ]; then
    echo "mutable statics in $archive that $allowed does not list:"
    echo "$bad" | sed 's/^/    /'
    exit 1
fi
