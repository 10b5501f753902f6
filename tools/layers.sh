#!/bin/bash
# Lower layers never include higher ones.  Prints each include that does, and fails.
set -u
cd "$(dirname "$0")/.." || exit 2

order=(base core compile analyse instrument runtime explore supervise report cli)
declare -A rank
for i in "${!order[@]}"; do
    rank[${order[i]}]=$i
done

# The driver's edge: the runtime runs the explorer and is its world.
# What the tested program is linked with knows nothing of the tool's stages.
allowed() {
    local from=$1 to=$2 header=$3
    case $from:$to in
    runtime:explore)
        [[ $header == explore/loop/explorer.h || $header == explore/loop/world.h ||
            $header == explore/order/sync_order.h ]] ;;
    runtime:compile | runtime:analyse | runtime:instrument) false ;;
    explore:base | explore:core | explore:explore) true ;;
    explore:*) false ;;
    *) ((rank[$to] <= rank[$from])) ;;
    esac
}

bad=0
while IFS=: read -r file line text; do
    from=${file#src/}
    from=${from%%/*}
    header=$(sed 's/.*"\(.*\)".*/\1/' <<<"$text")
    to=${header%%/*}
    [[ -n ${rank[$to]+x} ]] || continue
    if [[ -z ${rank[$from]+x} ]]; then
        echo "$file: src/$from is not in the order of layers (tools/layers.sh)"
        bad=1
    elif ! allowed "$from" "$to" "$header"; then
        echo "$file:$line: $from must not include $header"
        bad=1
    fi
done < <(grep -rn '^#include "' src --include='*.[ch]' --include='*.def')
exit $bad
