# make bench: cost per visible event and per execution, into bench/README.md.
# make bench-stateful: cost of a stored state, into bench/stateful.md; part of make bench.
# make bench-jobs: one worker and two, into bench/jobs.md.
# make bench-auto: what `auto` costs beside single strategies, into bench/auto.md.
# make bench-scale: the experiments of SCALE's chapter 6, into bench/scale.md and bench/scale-*.svg.
# make bench-directed: searches that go to a place, beside published figures, into bench/directed.md.
# make bench-hybrid: the hybrid reduction and its baselines, beside published figures, into bench/hybrid.md.
# make bench-paper: every table and plot of the five documents on one page, bench/paper.html, by the scripts above; counts are
# compared with the committed pages, and a difference is an error.
# make bench-memory: the graph search under rc11 and tso beside GenMC, into bench/models.md.
# make bench-analysis: cost and effect of the static analysis, into bench/analysis.md.

# make bench-scale-out: many ranks of a distributed search, simulated, into bench/scale-out.md.

$(B)/bench/scale_out: bench/scale_out.c $(B)/obj/src/supervise/pool.o $(B)/obj/src/supervise/leader.o $(B)/obj/src/base/err.o
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -D_GNU_SOURCE -o $@ $(filter %.c %.o,$^)

bench-scale-out: all $(B)/bench/scale_out
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/scale-out.sh $(B)/bench/scale_out

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

bench-paper: all
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/paper.py

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

.PHONY: bench bench-paper bench-scale-out bench-memory bench-directed bench-hybrid bench-stateful bench-auto bench-analysis bench-scale bench-jobs
