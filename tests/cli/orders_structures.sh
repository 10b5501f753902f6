#!/bin/bash
# heddle orders on the data structures of tests/memory.  All orders that a structure takes from its
# cases begin as seq_cst; what must be found are the orders of the literature (docs/orders.md), or
# weaker ones where that page explains them.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# structure FILE "NAMES, or NAME=VALUE" WANTED: of all accesses that begin as seq_cst, in the order
# of the source, the orders that are found.
structure() {
    local word flags= got
    for word in $2; do
        case $word in
        *=*) flags+=" -D$word" ;;
        *) flags+=" -D$word=memory_order_seq_cst" ;;
        esac
    done
    timeout "$LIMIT" "$HEDDLE" orders --format json --cc-flags "$flags" "$ROOT/tests/memory/$1.c" \
        >"$tmp/json" 2>"$tmp/err" </dev/null
    got=$(jq -r '[.accesses[] | select(.order == "seq_cst") | .weakest // "-"] | join(" ")' "$tmp/json")
    if [ "$got $(jq .complete "$tmp/json")" = "$3 true" ]; then
        pass "$1 $2"
    else
        fail "$1 $2" "expected '$3', got '$got' $(first_lines "$tmp/err")"
    fi
}

structure spinlock 'LOOP=1 A U' 'acquire release'
structure ticket_lock 'W R N=2' 'acquire release'
structure mcs_lock 'X N R S L U' 'acq_rel release acquire acquire release acquire release'
structure clh_lock 'X L S N=2' 'acq_rel acquire release'
structure rw_spinlock 'A B W V N=2' 'acquire release acquire release'
structure spsc_ring 'W R W2 R2' 'acquire release acquire release'
structure mpmc_queue 'A B C D' 'acquire release acquire release'
structure treiber 'W R' 'release acquire acquire acquire'
structure double_checked 'W R' 'acquire release'
structure rcu 'P R Q W N=1' 'acquire release release acquire'
structure seqlock 'LOOP=0 F1 W R F2' 'release release acquire acquire'
structure reference_count 'D F' 'acq_rel none'
structure reference_count 'D=memory_order_release F' 'acquire'
structure dekker 'F1 F2 W=memory_order_relaxed R=memory_order_relaxed' 'seq_cst seq_cst'
structure dekker 'W R F1=none F2=none' 'seq_cst seq_cst seq_cst seq_cst'
structure peterson 'KIND=1 W R U F1=none F2=none' 'acq_rel acquire release release'
structure peterson 'KIND=2 F1 F2 R U W=memory_order_relaxed' 'seq_cst seq_cst acquire release release'
structure ms_queue 'K=3 N M T U H I' 'release acquire acquire release acquire relaxed acquire release'
# From the orders of the paper: what only forbids load buffering is not needed under RC11.
structure chase_lev 'P=memory_order_release F1 F2 C T=memory_order_acquire B=memory_order_acquire' \
    'relaxed seq_cst seq_cst'
structure hazard_pointer 'F1 F2 P=memory_order_release L=memory_order_relaxed C=memory_order_release H=memory_order_acquire' \
    'seq_cst seq_cst'
