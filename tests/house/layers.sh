#!/bin/bash
# tools/layers.py against small trees: what the table of ARCHITECTURE.md does not allow is refused,
# however the include is written, and so is a cycle of modules.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# tree: a new one that is right.  `low` knows nothing, `high` knows it, `side` one header of `high`.
tree() {
    rm -rf "$tmp/t"
    mkdir -p "$tmp/t/tools" "$tmp/t/src/low" "$tmp/t/src/high" "$tmp/t/src/side"
    cp "$ROOT/tools/layers.py" "$tmp/t/tools/"
    echo '# none' >"$tmp/t/tools/cycles.allow"
    cat >"$tmp/t/ARCHITECTURE.md" <<'END'
| folder | knows | does |
|---|---|---|
| `src/low` | nothing | all |
| `src/high` | `low` | more |
| `src/side` | `low`, `high` (`high/door.h`) | less |
END
    cd "$tmp/t/src" || exit 2
    touch low/a.h high/door.h high/room.h
    echo '#include "low/a.h"' >low/a.c
    printf '#include "high/door.h"\n#include "low/a.h"\n' >high/door.c
    printf '#include "high/door.h"\n#include <stdio.h>\n' >side/s.c
}

# refused NAME PATTERN, accepted NAME: of the tree.
refused() {
    local out
    if out=$("$tmp/t/tools/layers.py" 2>&1); then
        fail "$1" "accepted"
    elif ! grep -q "$2" <<<"$out"; then
        fail "$1" "$out"
    else
        pass "$1"
    fi
}
accepted() {
    local out
    out=$("$tmp/t/tools/layers.py" 2>&1) && pass "$1" || fail "$1" "$out"
}

tree
accepted 'layers: right'
tree
echo '#include "high/door.h"' >>low/a.c
refused 'layers: upwards' '^src/low/a.c:2: src/low must not include high/door.h'
tree
echo '  #  include "high/door.h"' >>low/a.c
refused 'layers: indented' '^src/low/a.c:2: '
tree
echo '#include <high/door.h>' >>low/a.c
refused 'layers: angled' '^src/low/a.c:2: '
tree
echo '#include "../high/door.h"' >>low/a.h
refused 'layers: relative' '^src/low/a.h:1: '
tree
echo '#include "high/room.h"' >>side/s.c
refused 'layers: another header than the one that is known' '^src/side/s.c:3: src/side must not include high/room.h'
tree
mkdir new && echo '#include "low/a.h"' >new/n.c
refused 'layers: a folder without a row' '^src/new/n.c:1: not in the table'
tree
sed -i 's/`low`, `high`/`lower`, `high`/' ../ARCHITECTURE.md
refused 'layers: a row that knows what is no row' 'src/side knows lower'

tree
echo '#include "low/b.h"' >low/a.h
echo '#include "low/a.h"' >low/b.c && touch low/b.h
refused 'layers: a cycle of modules' '^a cycle of includes: low/a low/b$'
echo 'low/b low/a: they are twins' >../tools/cycles.allow
accepted 'layers: a cycle with a reason'
echo 'low/b low/a' >../tools/cycles.allow
refused 'layers: a cycle without a reason' 'no reason'
echo 'low/b low/a: they are twins' >../tools/cycles.allow
rm low/b.c
refused 'layers: a cycle that is no more' '^tools/cycles.allow: no longer a cycle'
