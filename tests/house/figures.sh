#!/bin/bash
# The counts of bench/*.md come out as they stand there.
. "$(dirname "$0")/../lib.sh"
exec python3 "$(dirname "$0")/figures.py"
