#!/bin/sh
# Install the Debian packages that heddle needs and that are missing; say which.  Silent when
# nothing is missing.  With words (build, test, html, lint, bench, mpi) only those groups.
set -eu

llvm=${LLVM:-19}
groups=${*:-build test lint bench}
packages=
for group in $groups; do
    case $group in
    build) packages="$packages clang-$llvm llvm-$llvm-dev libelf-dev libdw-dev libxxhash-dev liblua5.4-dev" ;;
    test)  packages="$packages libcmocka-dev libclang-rt-$llvm-dev jq python3 python3-jsonschema curl
                     ca-certificates cmake ninja-build meson pkg-config dpkg-dev" ;;
    html)  packages="$packages chromium chromium-driver python3" ;;
    lint)  packages="$packages clang-format-$llvm clang-tidy-$llvm binutils python3" ;;
    bench) packages="$packages valgrind binutils jq" ;;
    mpi)   packages="$packages openmpi-bin libopenmpi-dev gcc" ;;
    *)     echo "deps.sh: no such group: $group (there are: build test html lint bench mpi)" >&2
           exit 2 ;;
    esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    # Not Debian: trust what is there when the build finds its tools, otherwise name the packages.
    if command -v "llvm-config-$llvm" >/dev/null && command -v "clang-$llvm" >/dev/null; then
        exit 0
    fi
    echo "heddle: this is not a Debian system; install what these Debian packages hold:$packages" >&2
    exit 2
fi

missing=
for package in $packages; do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || {
        echo "heddle: missing packages:$missing; install them as root (apt-get install$missing)" >&2
        exit 2
    }
    as_root=sudo
fi

echo "heddle: installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { $as_root apt-get -qq update &&
       $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
           --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    echo "heddle: could not install$missing; see the lines above" >&2
    exit 2
fi
