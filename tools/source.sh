#!/bin/bash
# tools/source.sh DIRECTORY PACKAGE...: the sources of Debian packages, unpacked in DIRECTORY/PACKAGE.
# NAME.deb is a binary package instead, which is not installed: headers without a library.
#
# The machine's own package sources are asked for source packages, by a copy of its settings that
# lies in DIRECTORY: nothing of the machine's is changed.  Exit status 2, and one line, when that
# cannot be done (not Debian, no network).
set -u
[ $# -ge 2 ] || { echo "usage: tools/source.sh DIRECTORY PACKAGE..." >&2; exit 2; }
mkdir -p "$1" && directory=$(cd "$1" && pwd) || exit 2
shift
# One at a time: two that fetch the lists into one folder take each other's files away.
exec 9>"$directory.lock" && flock 9 || exit 2

fail() { echo "heddle: $1" >&2; exit 2; }

command -v apt-get >/dev/null && command -v dpkg-source >/dev/null ||
    fail 'source packages need apt-get and dpkg-source (the package dpkg-dev)'
# shellcheck disable=SC1091
codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
[ "$codename" ] || fail "this system's release has no name (/etc/os-release): cannot choose sources"

missing=
for package; do
    [ -e "$directory/$package/.complete" ] || missing="$missing $package"
done
[ "$missing" ] || exit 0

# Only the release's own archives: others need not have sources.
apt=$directory/.apt
mkdir -p "$apt/lists/partial" "$apt/parts"
for file in /etc/apt/sources.list.d/*.sources; do
    [ -e "$file" ] || continue
    awk -v RS= -v ORS='\n\n' -v name="$codename" '
        $0 ~ "(^|\n)Suites:[^\n]* " name "([-/ \n]|$)" {
            sub(/(^|\n)Types:[^\n]*/, "\nTypes: deb-src"); print }' "$file" \
        >"$apt/parts/$(basename "$file")"
done
cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
    awk -v name="$codename" '$1 == "deb" { for (i = 2; i <= NF; i++)
        if ($i ~ "^" name "([-/]|$)") { $1 = "deb-src"; print; break } }' >"$apt/sources.list"

options=(-o "Dir::Etc::SourceList=$apt/sources.list" -o "Dir::Etc::SourceParts=$apt/parts"
         -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt" -o APT::Sandbox::User=root
         -o Debug::NoLocking=1)
apt-get -qq "${options[@]}" update >"$apt/log" 2>&1 ||
    fail "the lists of source packages cannot be had: $(grep '^[EW]:' "$apt/log" | tail -n 1)"

for package in $missing; do
    rm -rf "${directory:?}/$package" "$apt/unpack"
    mkdir "$apt/unpack"
    if [ "${package%.deb}" != "$package" ]; then
        (cd "$apt/unpack" && apt-get -qq download "${package%.deb}") >"$apt/log" 2>&1 ||
            fail "the package ${package%.deb} cannot be had: $(grep '^E:' "$apt/log" | tail -n 1)"
        dpkg-deb -x "$apt"/unpack/*.deb "$directory/$package" || fail "the package ${package%.deb} has another shape"
        touch "$directory/$package/.complete"
        continue
    fi
    (cd "$apt/unpack" && apt-get -qq "${options[@]}" source "$package") >"$apt/log" 2>&1 ||
        fail "the source of $package cannot be had: $(grep '^E:' "$apt/log" | tail -n 1)"
    mv "$apt"/unpack/*/ "$directory/$package" || fail "the source of $package has another shape"
    touch "$directory/$package/.complete"
done
