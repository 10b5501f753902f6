#!/bin/bash
# The table of the library functions that touch memory: src/analyse/libc.def -> docs/libc.md.
#
#   tools/libc.sh           write the page
#   tools/libc.sh --check   is the page up to date, is every function of string.h in the table?
set -u
cd "$(dirname "$0")/.." || exit 2
def=src/analyse/libc.def page=docs/libc.md
CC=${CC:-clang-19}

# function TAB class TAB effects; a comment on a line of its own begins a part
rows() {
    sed -n -e 's,^/\* \(.*\) \*/$,\1,p' -e 's,^/\* \([^*]*\)$,\1,p' \
        -e 's/^HD_LIBC("\(.*\)", \([A-Z]*\), "\(.*\)")$/\1\t\2\t\3/p' "$def" | tail -n +2
}

# recipe TAB effects, of the rows that are rewritten into accesses
recipes() { sed -n 's/^        { "\([a-z]*\)", "\(.*\)" },$/\1\t\2/p' src/analyse/access.c; }

write_page() {
    cat <<'END'
# Library functions that touch memory

What each function of the C library reads and writes of the program's memory, as heddle announces it; a call of a
function that is not here is named in the result and weakens the verdict. Made by `tools/libc.sh` from
`src/analyse/libc.def`; arguments count from 0. Functions of threads, locks and descriptors are in
[what is modelled](surface.md).

- *exactly*: its accesses are those of the program, each a step.
- *runtime*: heddle's own function, which announces what it touches.
- *announced*: libc's function, after what it touches has been announced.
- *library's state*: it also changes what the library keeps; all such calls conflict with one another.
- *outside*: … and something outside the process, so it is named in the result.

A *shared object* is memory of the library's that all threads use: two threads that use it without synchronisation
race there, as `strtok` and `gmtime` do. (`rand` and its like lock theirs: they conflict and do not race.
`strerror` and `strsignal` have none in glibc.)
END
    { recipes; echo; rows; } | awk -F '\t' '
        function place(text) { sub(/[:?].*/, "", text); return substr(text, 2) }
        function extent(text,   e, result) {
            if (!(text ~ /:/)) return ""
            e = text; sub(/^[^:]*:/, "", e)
            result = e ~ /\//; sub(/\/.*/, "", e)
            return range(e, result ? "at most " : "")
        }
        function range(e, most,   f) {
            if (e == "s") return " (string)"
            if (e ~ /^s/) return " (string, at most argument " substr(e, 2) ")"
            if (e ~ /^=.*\|/) {
                split(substr(e, 2), f, "[|=]")
                return " (" most f[1] " bytes, or " f[3] " if argument " f[2] " is not 0)"
            }
            if (e ~ /^=/) return " (" most substr(e, 2) " bytes)"
            if (split(e, f, "*") == 2) return " (" most "argument " f[1] " × argument " f[2] " bytes)"
            return " (" most "argument " e " bytes)"
        }
        function add(list, item) { return list == "" ? item : list ", " item }
        NF == 0 { table = 1; next }
        !table { recipe[$1] = $2; next }
        NF == 1 { sub(/:.*/, "", $1); title = toupper(substr($1, 1, 1)) substr($1, 2); next }
        $2 == "PURE" || $1 ~ /^_Z|^__cxa|^__atomic_|^_Unwind|^__gxx/ { next }
        {
            effects = $2 == "EXPAND" ? recipe[$3] : $3
            reads = writes = object = ""
            if ($3 == "strtok_r") { effects = "p0:rw p1:r p2:rw" }
            n = split(effects, e, " ")
            for (i = 1; i <= n; i++) {
                kind = substr(e[i], 1, 1); how = e[i]; sub(/^[^:]*:?/, "", how)
                if (kind == "r") reads = add(reads, place(e[i]) extent(e[i]))
                if (kind == "w") writes = add(writes, place(e[i]) extent(e[i]))
                if (kind == "f") reads = add(reads, place(e[i]) " (format) and its strings")
                if (kind ~ /[pk]/ && how ~ /r/) reads = add(reads, place(e[i]))
                if (kind ~ /[pk]/ && how ~ /w/) writes = add(writes, place(e[i]))
                if (kind == "@") object = add(object, substr(e[i], 2))
            }
            if ($1 ~ /scanf$/) writes = "what every conversion names"
            if ($1 == "strsep") writes = add(writes, "the text")
            if (reads writes object == "") next
            if (title != last) printf "\n## %s\n\n| function | reads | writes | shared object | how |\n|---|---|---|---|---|\n", title
            last = title
            way["MODEL"] = "runtime"; way["TOUCH"] = "announced"; way["STATE"] = "library’s state"
            way["WORLD"] = "outside"; way["EXPAND"] = "exactly"
            note = $3 == "strtok_r" ? ", if no thread can change argument 1; else its effects count as unknown" : ""
            printf "| `%s` | %s | %s | %s | %s |\n", $1, reads, writes, object, way[$2] note
        }'
}

bad=0
complain() {
    echo "$def: $*" >&2
    bad=1
}

# Functions that the header declares; strfry and memfrob are toys, the rest takes a locale.
declared() {
    printf '#include <string.h>\n' | "$CC" -D_GNU_SOURCE -E -P - | tr '\n' ' ' | tr ';' '\n' |
        sed -n 's/.*[ *]\([a-z][a-z0-9_]*\) (.*/\1/p' | grep -E '^(str|stp|mem|raw|explicit)' |
        grep -vE '^(strfry|memfrob|.*_l|.*_np)$' | sort -u
}

if [ "${1:-}" != --check ]; then
    write_page >"$page"
    exit
fi
while read -r function; do
    grep -q "^HD_LIBC(\"$function\"," "$def" || complain "$function is in string.h and not in the table"
done < <(declared)
write_page | cmp -s - "$page" || complain "$page is not up to date: run tools/libc.sh"
exit $bad
