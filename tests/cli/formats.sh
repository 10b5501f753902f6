#!/bin/bash
# The documents for CI servers: SARIF, JUnit XML, annotations.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

good=$ROOT/tests/litmus/correct/counter.c
bad=$ROOT/tests/bugs/lost_update.c
run() { "$HEDDLE" "$@" >out 2>err </dev/null; status=$?; }
holds() {
    local name=$1
    shift
    if "$@" >why 2>&1; then pass "$name"; else fail "$name" "$(first_lines why) $(first_lines err)"; fi
}
# The standard's schema, as a package of the npm registry carries it.  Without a network, or without
# python3-jsonschema, logs are held against sarif.py's own table alone, and that is said.
schema=
package=https://registry.npmjs.org/@microsoft/jest-sarif/-/jest-sarif-1.0.0-beta.0.tgz
sum=748e2c3d1a842e7bb258416685c7ea3a0da40005b72267b2052c2856d48ad102
if ! python3 -c 'import jsonschema' 2>/dev/null; then
    echo '# SKIPPED: SARIF against its schema: there is no python3-jsonschema'
elif ! curl -fsSL --retry 2 --max-time 40 -o schema.tgz "$package" 2>/dev/null; then
    echo "# SKIPPED: SARIF against its schema: cannot fetch $package"
elif echo "$sum  schema.tgz" | sha256sum --quiet -c - && tar xzf schema.tgz; then
    schema=$tmp/package/lib/schemas/sarif-2.1.0-rtm.5.json
    pass 'the schema of SARIF 2.1.0'
else
    fail 'the schema of SARIF 2.1.0' "$package is not what it was"
fi
sarif() { python3 "$here/sarif.py" "$1" ${schema:+"$schema"}; }

xml() { python3 - "$@" <<'PY'
import sys, xml.etree.ElementTree as tree
case = tree.parse(sys.argv[1]).getroot().find("testsuite/testcase")
found = case.find(sys.argv[2])
assert found is not None, [child.tag for child in case]
assert sys.argv[3] in (found.get("message") or "") + (found.text or ""), found.text
PY
}

printf '// a name with a space, %%, and bytes that are no UTF-8: \377\n' >'od d%.c'
cat "$bad" >>'od d%.c'
for file in "$bad" "$ROOT/tests/litmus/wrong/lock_order.c" 'od d%.c'; do
    name=$(basename "$file" .c)
    run check -q --sarif s --junit j --github "$file"
    holds "$name: status 1" [ "$status" = 1 ]
    holds "$name: sarif" sarif s
    holds "$name: sarif has the result" jq -e '[.runs[0].results[] | select(.ruleId != "data-race")] | length == 1' s
    holds "$name: a thread flow per thread" \
        jq -e '.runs[0].results[0].codeFlows[0].threadFlows | map(.id) == ["main", "T1", "T2"]' s
    holds "$name: junit" xml j failure 'step'
    holds "$name: annotation" grep -qE '^::error file=.*,line=[0-9]+,.*title=heddle%3A [a-z ]+::' out
done
holds 'sarif: the line of the violation' jq -e --argjson line \
    "$(grep -n 'assert(hits' 'od d%.c' | cut -d: -f1)" \
    '.runs[0].results[0].locations[0].physicalLocation.region.startLine == $line' s
# Both call stacks of a data race, in every document.
cat >calls.c <<'END'
#include <pthread.h>
#include <stddef.h>
static int balance;
static void add(int amount) { balance += amount; }
static void deposit(int amount)
{
    add(amount);
}
static void *work(void *unused)
{
    deposit(5);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    deposit(7);
    pthread_join(t, NULL);
    return 0;
}
END
run check --json c --sarif s --html h calls.c
holds 'calls: text' grep -qzP 'in main at calls.c:4 \(add\)\n      called at calls.c:7 \(deposit\)\n      called at calls.c:18 \(main\)\n  and T1 at calls.c:4 \(add\)\n      called at calls.c:7 \(deposit\)\n      called at calls.c:11 \(work\)\n' out
holds 'calls: json, the lines' jq -e '.violations[0] | (.calls | map(.line)) == [7, 18] and
    (.other_calls | map(.line)) == [7, 11]' c
holds 'calls: sarif' sarif s
holds 'calls: sarif, the lines' jq -e '.runs[0].results[0].stacks |
    map([.frames[].location.physicalLocation.region.startLine]) == [[4, 7, 18], [4, 7, 11]]' s
# which of the two accesses of T1 the run stops at depends on the run
holds 'calls: html' grep -q 'to \(read\|write\) balance, called at calls.c:7 (deposit), called at calls.c:11 (work)' h

run check -q --sarif s --junit j --github "$good"
holds 'verified: sarif without results' jq -e '.runs[0].results == []' s
holds 'verified: sarif' sarif s
holds 'verified: junit passes' xml j system-out 'verified'
holds 'verified: no annotation' [ "$(grep -c '^::' out)" = 0 ]

run check -q --require-verified --executions 1 --sarif s --junit j --github "$good"
holds 'unverified: status 3' [ "$status" = 3 ]
holds 'unverified: sarif says why' \
    jq -e '.runs[0].invocations[0].toolExecutionNotifications[0].message.text | test("executions")' s
holds 'unverified: junit fails' xml j failure 'not exhaustive'
holds 'unverified: annotation' grep -q '^::error title=heddle' out

echo 'int main(void) { return x; }' >broken.c
run check --sarif s --junit j --github broken.c
holds 'error: status 2' [ "$status" = 2 ]
holds 'error: sarif' sarif s
holds 'error: sarif says that nothing ran' \
    jq -e '.runs[0].invocations[0].executionSuccessful == false' s
holds 'error: junit' xml j error 'does not compile'

run check --sarif - "$bad"
holds 'sarif on stdout, alone' sarif out

# The schema can refuse: a property that SARIF does not know, a line before the first.
if [ "$schema" ]; then
    run check -q --sarif s "$bad"
    for damage in '.runs[0].results[0].threadflow = 1' 'del(.runs[0].tool.driver.name)' \
        '.runs[0].results[0].codeFlows[0].threadFlows[0].locations = []' \
        '.runs[0].results[0].locations[0].physicalLocation.region.startLine = 0'; do
        jq "$damage" s >damaged
        holds "damaged: $damage" [ "$(python3 -c "
import json, sys, jsonschema
v = jsonschema.Draft4Validator(json.load(open('$schema')))
print(v.is_valid(json.load(open('s'))), v.is_valid(json.load(open('damaged'))))")" = 'True False' ]
    done
fi
# Other kinds of violations.
for name in use_after_free invariant several partial_deadlock race_flag; do
    run check -q --keep-going --no-minimise --sarif s "$ROOT/tests/litmus/wrong/$name.c"
    holds "$name: sarif" sarif s
done
expect_error 'two on stdout' 'only one of' "$HEDDLE" check --sarif - --json - "$bad"
expect_error 'a full disk' '/dev/full' "$HEDDLE" check -q --sarif /dev/full "$bad"
