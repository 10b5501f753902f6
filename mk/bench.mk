# make bench: cost per visible event and per execution, into bench/README.md.
# make bench-jobs: one worker and two, into bench/jobs.md.
# make bench-scale: the experiments of SCALE's chapter 6, into bench/scale.md and bench/scale-*.svg.

bench: all
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/run.sh

bench-scale: all
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/scale.sh

bench-jobs: all
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/jobs.sh

.PHONY: bench bench-scale bench-jobs
