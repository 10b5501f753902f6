#!/bin/bash
# The version stands in src/base/version.h and in the manual pages.
#   tools/version.sh          checks that they agree
#   tools/version.sh X.Y.Z    sets it there, and gives the changelog's Unreleased section that version and today's date
set -u
cd "$(dirname "$0")/.." || exit 2

if [ $# = 0 ]; then
    version=$(sed -n 's/.*HD_VERSION "\(.*\)"/\1/p' src/base/version.h)
    others=$(grep -L "^\.TH [A-Z-]* 1 \"[0-9-]*\" \"heddle $version\" " docs/man/*.1)
    [ -z "$others" ] && exit
    echo "not of version $version, which src/base/version.h names: $others" >&2
    exit 1
fi
if ! [[ $1 =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
    echo "usage: tools/version.sh [X.Y.Z]" >&2
    exit 2
fi
if ! grep -q '^## \[Unreleased\]$' CHANGELOG.md || grep -q "^## \[$1\]" CHANGELOG.md; then
    echo "CHANGELOG.md needs a section Unreleased, and none for $1 yet" >&2
    exit 1
fi
sed -i "s/\(HD_VERSION\) \".*\"/\1 \"$1\"/" src/base/version.h
sed -i "1s/\"[0-9-]*\" \"heddle [0-9.]*\"/\"$(date +%F)\" \"heddle $1\"/" docs/man/*.1
sed -i "s/^## \[Unreleased\]$/&\n\n## [$1] - $(date +%F)/" CHANGELOG.md
