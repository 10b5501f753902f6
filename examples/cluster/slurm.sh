#!/bin/bash
# A search as an array of Slurm jobs.
#   heddle split -n 1000 -o units ./program
#   sbatch --array=1-50 examples/cluster/slurm.sh ./program [options of heddle check]
#   heddle merge units ./program
# Task I of 50 explores the units I, I + 50, I + 100, …  A unit that is not through after ten minutes becomes smaller units, and a
# task that the limit of the queue ends loses the unit that it was at: submit the array again until `merge` misses nothing.
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --time=04:00:00
set -u
program=$1
shift
units=${UNITS:-units}
i=0
shopt -s nullglob # a search that ended while it was split has no units
for unit in "$units"/*.unit; do
    i=$((i + 1))
    [ $((i % SLURM_ARRAY_TASK_COUNT)) = $((SLURM_ARRAY_TASK_ID % SLURM_ARRAY_TASK_COUNT)) ] || continue
    [ -e "${unit%.unit}.result" ] && continue
    heddle check -q --no-minimise --time 10m "$@" --unit "$unit" "$program"
    [ $? -le 1 ] || exit 2
done
