"use strict";
/* What the page computes from the data, without the page: no function here touches a document. */
const model = (() => {
  const T = 0, OP = 1, WHAT = 2, OBJECT = 3, READ = 4, WRITTEN = 5, FILE = 6, LINE = 7, FUNC = 8, FLAGS = 9, SELF = 10, SIZE = 11;
  const PREEMPTION = 1, MATTERS = 4, HIDDEN = 8, CALL = 16;
  const MOST_COMPARED = 4e6; /* pairs of steps of two runs */
  const TAKES = new Set(["lock", "trylock", "timedlock", "relock", "rdlock", "wrlock", "tryrdlock",
    "trywrlock", "timedrdlock", "timedwrlock", "spin-lock", "spin-trylock"]);
  const GIVES = new Set(["unlock", "rwunlock", "spin-unlock"]);
  const WAITS = new Set(["wait", "timedwait"]);

  /* What a step is about, called by its own name. */
  const self = s => s[SELF] || s[OBJECT];

  /* Stretches in which a thread holds a lock: {thread, object, from, to, depth}. */
  function held(steps) {
    const open = new Map(), bars = [];
    const close = (key, i) => {
      if (open.has(key)) { bars.push({ ...open.get(key), to: i }); open.delete(key); }
    };
    steps.forEach((s, i) => {
      const mutex = WAITS.has(s[OP]) ? s[WHAT].match(/, releases ([^,]*)/)?.[1] : s[OBJECT];
      const key = s[T] + " " + mutex;
      if (TAKES.has(s[OP])) {
        const depth = [...open.values()].filter(b => b.thread === s[T]).length;
        open.set(key, { thread: s[T], object: mutex, from: i, depth });
      } else if (GIVES.has(s[OP]) || WAITS.has(s[OP])) close(key, i);
    });
    for (const key of [...open.keys()]) close(key, steps.length - 1);
    return bars;
  }

  /* The last step of every thread, up to step `n`, that has a place.  Threads that have ended are nowhere. */
  function places(run, n) {
    const at = new Map(), ended = new Set();
    for (let i = n; i >= 0 && at.size + ended.size < run.threads.length; i--) {
      const s = run.steps[i];
      if (s[OP] === "exit" && i < n && !at.has(s[T])) ended.add(s[T]);
      else if (s[LINE] && !at.has(s[T]) && !ended.has(s[T])) at.set(s[T], s);
    }
    return at;
  }

  /* The bytes of a step: {base, begin, end}, of a name like "table+8" or "stack:T1-64"; kept, for
     it is asked often. */
  const WRITES = new Set(["write", "atomic-write", "rmw", "cas", "copy", "free"]), parsed = new Map();
  function bytes(s) {
    const key = `${self(s)} ${s[SIZE]}`;
    if (!parsed.has(key)) {
      const [, base, offset] = self(s).match(/^(.*?)([+-]\d+)?$/s), begin = Number(offset ?? 0);
      parsed.set(key, { base, begin, end: begin + s[SIZE] });
    }
    return parsed.get(key);
  }

  /* What has values whose bytes overlap, as a structure and its members: the bases of these. */
  function mixed(run) {
    const ranges = new Map(), all = new Set();
    for (const s of run.steps) {
      if (!s[SIZE]) continue;
      const b = bytes(s);
      if (!ranges.has(b.base)) ranges.set(b.base, new Set());
      ranges.get(b.base).add(b);
    }
    for (const [base, set] of ranges) {
      const sorted = [...set].sort((a, b) => a.begin - b.begin);
      if (sorted.some((b, i) => i && sorted[i - 1].end > b.begin)) all.add(base);
    }
    return all;
  }

  /* A write ends the values of the bytes that it changes, but for one that is known. */
  function forget(run, all, s, known) {
    const b = bytes(s);
    if (!known) all.delete(self(s));
    if (!run.mixed.has(b.base)) return;
    for (const [key, v] of all)
      if (key !== self(s) && v.bytes?.base === b.base && v.bytes.begin < b.end && b.begin < v.bytes.end) all.delete(key);
  }

  /* The values after step `n`: own name -> {name, value, thread, step}.  Every KEPT steps they are
     kept, so that the next ones need not begin at the first step. */
  const KEPT = 500;
  function values(run, n) {
    run.kept ??= [new Map()];
    run.mixed ??= mixed(run);
    run.isStale ??= new Map(run.stale.map(([step, , words]) => [step, words])); /* memory holds another value */
    const from = Math.min(run.kept.length - 1, Math.floor((n + 1) / KEPT)), all = new Map(run.kept[from]);
    for (let i = from * KEPT; i <= n; i++) {
      if (i === run.kept.length * KEPT) run.kept.push(new Map(all));
      const s = run.steps[i];
      if (run.isStale.has(i) || !s[OBJECT]) continue;
      const value = s[OP] === "cas-fail" ? s[READ] : s[WRITTEN] ?? s[READ];
      const known = value !== null && s[SIZE] <= 8; /* the log has 8 bytes of it */
      if (s[SIZE] && WRITES.has(s[OP])) forget(run, all, s, known);
      if (!known) continue;
      all.set(self(s), { name: s[OBJECT], value, thread: s[T], step: i, bytes: s[SIZE] ? bytes(s) : null });
    }
    return all;
  }

  /* Two runs beside each other: [step of a, step of b] for equal steps, with undefined on the
     other side for the rest; as `diff` does it.  first: where they differ, in each of them. */
  function align(a, b) {
    const key = s => [s[T], s[OP], s[FLAGS] & CALL ? s[WHAT].replace(/ returns .*/, " returns") : s[SELF] || s[OBJECT],
      s[FILE], s[LINE]].join(" ");
    const seen = run => [...run.steps.keys()].filter(i => !(run.steps[i][FLAGS] & HIDDEN));
    const inA = seen(a), inB = seen(b), x = inA.map(i => key(a.steps[i])), y = inB.map(i => key(b.steps[i]));
    let head = 0, tail = 0;
    while (head < x.length && head < y.length && x[head] === y[head]) head++;
    while (tail < x.length - head && tail < y.length - head && x[x.length - 1 - tail] === y[y.length - 1 - tail]) tail++;
    const n = x.length - head - tail, m = y.length - head - tail, pairs = [];
    for (let i = 0; i < head; i++) pairs.push([i, i]);
    let i = 0, j = 0;
    if (n * m <= MOST_COMPARED) {
      const width = m + 1, longest = new Uint16Array((n + 1) * width);
      for (let p = n - 1; p >= 0; p--)
        for (let q = m - 1; q >= 0; q--)
          longest[p * width + q] = x[head + p] === y[head + q] ? longest[(p + 1) * width + q + 1] + 1
            : Math.max(longest[(p + 1) * width + q], longest[p * width + q + 1]);
      while (i < n && j < m)
        if (x[head + i] === y[head + j]) pairs.push([head + i++, head + j++]);
        else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) pairs.push([head + i++, undefined]);
        else pairs.push([undefined, head + j++]);
    }
    while (i < n) pairs.push([head + i++, undefined]);
    while (j < m) pairs.push([undefined, head + j++]);
    for (let k = 0; k < tail; k++) pairs.push([x.length - tail + k, y.length - tail + k]);
    return { pairs: pairs.map(([p, q]) => [inA[p], inB[q]]), first: [inA[head], inB[head]] };
  }

  /* The same step in the other run: the thread's step of the same number, or the nearest before. */
  function counterpart(from, n, to) {
    const t = from.steps[n]?.[T];
    let count = 0, at = -1;
    for (let i = 0; i <= n && i < from.steps.length; i++) count += from.steps[i][T] === t;
    for (let i = 0; i < to.steps.length && count > 0; i++)
      if (to.steps[i][T] === t) { at = i; count--; }
    return Math.max(0, at);
  }

  /* Where lanes stand: {lane: their distance, whole: width of all}.  A label may reach over the
     lanes to its right, so lanes may be narrower than labels. */
  function lay(width, gutter, labels, narrowest) {
    const room = width - gutter, n = labels.length;
    let lane = room / n;
    for (let k = 1; k < n; k++) lane = Math.min(lane, (room - Math.min(labels[k], 420)) / k);
    lane = Math.max(lane, narrowest);
    return { lane, whole: Math.max(width, gutter + n * lane, ...labels.map((l, k) => gutter + k * lane + l)) };
  }

  return { T, OP, WHAT, OBJECT, READ, WRITTEN, FILE, LINE, FUNC, FLAGS, SELF, SIZE, PREEMPTION, MATTERS, HIDDEN, CALL,
    self, held, places, values, align, counterpart, lay };
})();
