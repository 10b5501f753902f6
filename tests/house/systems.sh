#!/bin/bash
# docs/systems.md: what it names exists, and its numbers stand in the tables of bench.
. "$(dirname "$0")/../lib.sh"
exec python3 -B "$(dirname "$0")/systems.py"
