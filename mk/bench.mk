# make bench: cost per visible event and per execution, into bench/README.md.
# make bench-stateful: cost of a stored state, into bench/stateful.md; part of make bench.
# make bench-jobs: one worker and two, into bench/jobs.md.
# make bench-auto: what `auto` costs beside single strategies, into bench/auto.md.
# make bench-scale: the experiments of SCALE's chapter 6, into bench/scale.md and bench/scale-*.svg.
# make bench-directed: searches that go to a place, beside published figures, into bench/directed.md.
# make bench-hybrid: the hybrid reduction and its baselines, beside published figures, into bench/hybrid.md.
# make bench-memory: the graph search under rc11 and tso beside GenMC, into bench/models.md.
# make bench-analysis: cost and effect of the static analysis, into bench/analysis.md.

bench-analysis: all
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/analysis.sh

bench-memory: all
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/models.sh

bench-directed: all
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/directed.sh

bench-hybrid: all
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/hybrid.sh

bench: all
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/run.sh
	@HEDDLE=$(abspath $(HEDDLE)) bench/stateful.sh

bench-stateful: all
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/stateful.sh

bench-scale: all
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/scale.sh

bench-jobs: all
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/jobs.sh

bench-auto: all
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/auto.sh

.PHONY: bench bench-memory bench-directed bench-hybrid bench-stateful bench-auto bench-analysis bench-scale bench-jobs
