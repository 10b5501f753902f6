"use strict";
/* One state: which violation, which run of it (0 fails, 1 passes), which step.  show() draws it;
   build() makes the rows of a run, once per run. */
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = id => document.getElementById(id);
  const PREEMPTION = 1, MATTERS = 4, ROW = 28;
  const T = 0, OP = 1, WHAT = 2, OBJECT = 3, READ = 4, WRITTEN = 5, FILE = 6, LINE = 7, FUNC = 8, FLAGS = 9;
  const TAKES = new Set(["lock", "trylock", "timedlock", "relock", "rdlock", "wrlock", "tryrdlock",
    "trywrlock", "timedrdlock", "timedwrlock", "spin-lock", "spin-trylock"]);
  const GIVES = new Set(["unlock", "rwunlock", "spin-unlock"]);
  const WAITS = new Set(["wait", "timedwait"]);
  const state = { violation: 0, run: 0, step: 0, hits: [] };
  const make = (tag, cls, text) => {
    const e = document.createElement(tag);
    if (cls) e.className = cls;
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const colour = t => `var(--t${t % 8})`;
  const violation = () => data.violations[state.violation];
  const run = () => violation().runs[state.run];
  const ends = () => state.run === 0 ? violation().ends : [];
  const base = name => name.replace(/.*\//, "");

  let rows = [], visible = [], width = 0;

  /* Stretches in which a thread holds a lock: {thread, object, from, to, depth}. */
  function held(steps) {
    const open = new Map(), bars = [];
    const close = (key, i) => {
      if (open.has(key)) { bars.push({ ...open.get(key), to: i }); open.delete(key); }
    };
    steps.forEach((s, i) => {
      const mutex = WAITS.has(s[OP]) ? s[WHAT].replace(/.* with /, "") : s[OBJECT];
      const key = s[T] + " " + mutex;
      if (TAKES.has(s[OP])) {
        const depth = [...open.values()].filter(b => b.thread === s[T]).length;
        open.set(key, { thread: s[T], object: mutex, from: i, depth });
      } else if (GIVES.has(s[OP]) || WAITS.has(s[OP])) close(key, i);
    });
    for (const key of [...open.keys()]) close(key, steps.length - 1);
    return bars;
  }

  function lanes() {
    const used = [...new Set([...run().steps, ...ends()].map(s => s[T]))].sort((a, b) => a - b);
    const least = used.length > 3 || innerWidth < 820 ? 136 : 190;
    return { used, least, template: `repeat(${used.length}, minmax(${least}px, 1fr))` };
  }

  function svg(tag, attributes, parent) {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    parent.append(e);
    return e;
  }

  /* From the store that a stale load read to the load; from the top, if it is the initial value. */
  function stales(s, at, x, y) {
    const steps = run().steps;
    for (const [step, source, words] of run().stale) {
      if (!at.has(step)) continue;
      const x2 = x(steps[step][T]), y2 = y(step), seen = at.has(source);
      const x1 = seen ? x(steps[source][T]) : x2 + 12, y1 = seen ? y(source) : 0;
      const bend = x1 === x2 ? x1 + 30 : (x1 + x2) / 2;
      if (source >= -1) {
        const from = seen ? `M${x1} ${y1} C${bend} ${y1}, ${bend} ${y2},` : `M${x1} ${y1} C${x1} ${(y1 + y2) / 2}, ${x1} ${y2},`;
        const arrow = svg("path", { d: `${from} ${x2 + (x1 > x2 ? 6 : -6)} ${y2}`, fill: "none", stroke: "var(--bad)",
          "stroke-width": 1.6, "stroke-dasharray": "5 3", "marker-end": "url(#stale-head)", class: "stale-edge" }, s);
        svg("title", {}, arrow).textContent = words;
      }
      svg("circle", { cx: x2, cy: y2, r: 8, fill: "none", stroke: "var(--bad)", "stroke-width": 1.6, class: "stale-mark" }, s);
    }
  }

  /* Arrows and lock bars, over the rows that are shown. */
  function overlay(box, used) {
    const { steps, edges } = run();
    const at = new Map(visible.map((i, y) => [i, y]));
    const lane = (box.clientWidth - 56) / used.length;
    const x = t => 56 + used.indexOf(t) * lane + 15;
    const y = i => at.get(i) * ROW + ROW / 2;
    const near = i => { while (i >= 0 && !at.has(i)) i--; return i; };
    width = box.clientWidth;
    box.querySelector("svg")?.remove();
    const s = svg("svg", { width: box.clientWidth, height: visible.length * ROW, "aria-hidden": "true" }, box);
    const defs = svg("defs", {}, s);
    const head = svg("marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7,
      markerHeight: 7, orient: "auto-start-reverse" }, defs);
    svg("path", { d: "M0 0 L8 4 L0 8 z", fill: "var(--arrow)" }, head);
    const red = svg("marker", { id: "stale-head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7,
      markerHeight: 7, orient: "auto-start-reverse" }, defs);
    svg("path", { d: "M0 0 L8 4 L0 8 z", fill: "var(--bad)" }, red);
    for (const t of used) {
      const mine = visible.filter(i => steps[i][T] === t);
      if (mine.length)
        svg("line", { x1: x(t), x2: x(t), y1: y(mine[0]), y2: y(mine[mine.length - 1]),
          stroke: colour(t), "stroke-width": 2, opacity: .35 }, s);
    }
    for (const bar of held(steps)) {
      const from = near(bar.from), to = near(bar.to);
      if (from < 0 || to < 0) continue;
      const r = svg("rect", { x: x(bar.thread) - 11 + bar.depth * 4, y: y(from) - 9, width: 5, rx: 2.5,
        height: Math.max(18, y(to) - y(from) + 18), fill: colour(bar.thread), opacity: .55,
        class: "lock-bar" }, s);
      svg("title", {}, r).textContent = `${run().threads[bar.thread]} holds ${bar.object}`;
    }
    for (const [from, to] of edges) {
      if (!at.has(from) || !at.has(to)) continue;
      const x1 = x(steps[from][T]), x2 = x(steps[to][T]), side = x2 > x1 ? 1 : -1;
      svg("path", { d: `M${x1 + 6 * side} ${y(from)} C${(x1 + x2) / 2} ${y(from)}, ${(x1 + x2) / 2} ${y(to)}, ${x2 - 7 * side} ${y(to)}`,
        fill: "none", stroke: "var(--arrow)", "stroke-width": 1.2, opacity: .75,
        "marker-end": "url(#head)", class: "edge" }, s);
    }
    stales(s, at, x, y);
    for (const i of visible)
      svg("circle", { cx: x(steps[i][T]), cy: y(i), r: 4.5, fill: colour(steps[i][T]) }, s);
  }

  function build() {
    const { steps, threads } = run(), { used, least, template } = lanes();
    const box = $("timeline"), head = $("lanes");
    const stale = new Map(run().stale.map(([step, , words]) => [step, words]));
    const decides = new Set(state.run === 0 ? violation().deciding.flatMap(d => [d[0], d[1]]) : []);
    head.style.gridTemplateColumns = box.style.gridTemplateColumns = template;
    head.replaceChildren(...used.map(t => {
      const e = make("span", "", threads[t]);
      e.style.color = colour(t);
      return e;
    }));
    head.style.minWidth = box.style.minWidth = $("ends").style.minWidth = used.length * least + 56 + "px";
    document.querySelector("main").classList.toggle("wide", used.length > 3);
    box.replaceChildren();
    rows = [];
    visible = [];
    let before = -1;
    steps.forEach((s, i) => {
      const shown = !$("fold").checked || stale.has(i) || s[FLAGS] & (MATTERS | PREEMPTION) || decides.has(i) || i === steps.length - 1;
      rows.push(null);
      if (!shown) return;
      const row = make("div", "row");
      row.id = "step-" + i;
      row.setAttribute("role", "option");
      row.setAttribute("aria-label", `Step ${i + 1}, ${threads[s[T]]}: ${s[WHAT]}` +
        (s[LINE] ? `, ${base(data.files[s[FILE]].name)} line ${s[LINE]}` : "") +
        (s[FLAGS] & PREEMPTION ? ", preempts the thread before" : "") + (stale.has(i) ? ", " + stale.get(i) : ""));
      row.style.gridTemplateColumns = template;
      if (before >= 0 && steps[before][T] !== s[T]) row.classList.add("switch");
      if (s[FLAGS] & PREEMPTION) row.classList.add("pre");
      if (decides.has(i)) row.classList.add("decides");
      if (state.run === 0 && !ends().length && i === steps.length - 1) row.classList.add("broken");
      row.append(make("span", "n", (s[FLAGS] & PREEMPTION ? "▸ " : "") + (i + 1)));
      const what = make("span", "what");
      what.style.gridColumn = used.indexOf(s[T]) + 1;
      const words = s[WHAT].replace(/^atomic-/, ""), cut = words.search(/ = |: /), label = make("span", "label");
      label.append(make("b", "", cut < 0 ? words : words.slice(0, cut)));
      if (cut >= 0) label.append(make("span", "val", words.slice(cut)));
      label.title = s[WHAT] + (stale.has(i) ? ": " + stale.get(i) : "");
      if (stale.has(i)) row.classList.add("stale");
      what.append(label);
      row.append(what);
      row.addEventListener("click", () => go(i));
      box.append(row);
      rows[i] = row;
      visible.push(i);
      before = i;
    });
    $("ends").replaceChildren(...ends().map(([t, words]) => {
      const row = make("div", "row"), what = make("span", "what", words);
      row.style.gridTemplateColumns = template;
      /* what is long begins further left, so it must say whose it is */
      const lane = used.indexOf(t), who = make("span", "", threads[t] + ": ");
      what.style.gridColumn = `${words.length > 14 ? Math.max(1, Math.min(lane + 1, used.length - 1)) : lane + 1} / -1`;
      who.style.color = colour(t);
      what.prepend(who);
      row.append(make("span", "n", "!"), what);
      return row;
    }));
    overlay(box, used);
  }

  /* Where every thread is after step `n`: its last step with a place; at the end, where it waits or
     broke the program. */
  function places(n) {
    const at = new Map();
    run().steps.slice(0, n + 1).forEach(s => { if (s[LINE]) at.set(s[T], s); });
    if (n === run().steps.length - 1)
      for (const [t, , file, line] of ends())
        if (line) at.set(t, { [FILE]: file, [LINE]: line });
    return at;
  }

  function showSource(file, n) {
    const { steps, threads } = run(), box = $("source"), at = places(n);
    const lines = data.files[file]?.lines ?? [];
    $("file").textContent = data.files[file]?.name ?? "Source";
    const here = steps[n];
    const [badFile, badLine] = violation().at;
    box.replaceChildren(...lines.map((text, i) => {
      const l = make("div", "l");
      l.append(make("span", "no", i + 1), make("code", "", text || " "));
      if (here[FILE] === file && here[LINE] === i + 1) l.classList.add("here");
      if (badFile === file && badLine === i + 1 && state.run === 0) l.classList.add("fault");
      const chips = make("span", "chips");
      for (const [t, s] of at)
        if (s[FILE] === file && s[LINE] === i + 1) {
          const chip = make("span", "chip", threads[t]);
          chip.style.background = colour(t);
          chips.append(chip);
        }
      if (chips.children.length) l.append(chips);
      return l;
    }));
    const line = box.children[(here[FILE] === file ? here[LINE] : 1) - 1];
    if (line) box.scrollTop = line.offsetTop - box.offsetTop - box.clientHeight / 2;
    const others = $("files");
    others.replaceChildren();
    if (data.files.length > 1) {
      const select = make("select");
      select.setAttribute("aria-label", "File");
      data.files.forEach((f, i) => {
        const o = make("option", "", base(f.name));
        o.value = i;
        o.selected = i === file;
        select.append(o);
      });
      select.addEventListener("change", () => showSource(Number(select.value), state.step));
      others.append(select);
    }
  }

  function showValues(n) {
    const { steps, threads } = run(), values = new Map();
    const stale = new Set(run().stale.map(([step]) => step)); /* memory holds another value */
    steps.slice(0, n + 1).forEach((s, i) => {
      if (stale.has(i)) return;
      const value = s[WRITTEN] ?? s[READ];
      if (s[OBJECT] && value !== null && !(s[OP] === "cas-fail"))
        values.set(s[OBJECT], { value, thread: s[T], step: i });
      else if (s[OP] === "cas-fail" && s[READ] !== null)
        values.set(s[OBJECT], { value: s[READ], thread: s[T], step: i });
    });
    for (const bar of held(steps))
      if (bar.from <= n && (n < bar.to || bar.to === steps.length - 1))
        values.set(bar.object, { value: "held by " + threads[bar.thread], thread: bar.thread, step: bar.from });
    const body = $("values").tBodies[0];
    body.replaceChildren(...[...values].map(([object, v]) => {
      const tr = make("tr", v.step === n ? "changed" : "");
      const by = make("td", "", `${threads[v.thread]}, step ${v.step + 1}`);
      by.style.color = colour(v.thread);
      tr.append(make("td", "", object), make("td", "", v.value), by);
      return tr;
    }));
    if (!values.size) {
      const tr = make("tr"), td = make("td", "", "nothing has been read or written yet");
      td.colSpan = 3;
      tr.append(td);
      body.append(tr);
    }
  }

  function show() {
    const { steps, threads } = run(), n = state.step, s = steps[n];
    if (!s) return;
    rows.forEach((row, i) => {
      if (!row) return;
      row.classList.toggle("here", i === n);
      row.classList.toggle("later", i > n);
      row.setAttribute("aria-selected", i === n);
    });
    const box = $("timeline"), panel = box.parentElement, row = rows[n];
    box.setAttribute("aria-activedescendant", "step-" + n);
    if (row) {
      const top = row.offsetTop + $("lanes").offsetHeight;
      if (top < panel.scrollTop + 60 || top > panel.scrollTop + panel.clientHeight - 60)
        panel.scrollTop = top - panel.clientHeight / 2;
    }
    $("where").textContent = `Step ${n + 1} of ${steps.length} · ${threads[s[T]]}`;
    $("prev").disabled = $("first").disabled = n === 0;
    $("next").disabled = $("last").disabled = n === steps.length - 1;
    showSource(s[FILE] >= 0 ? s[FILE] : places(n).get(s[T])?.[FILE] ?? 0, n);
    showValues(n);
  }

  function go(n) {
    state.step = Math.max(0, Math.min(run().steps.length - 1, n));
    show();
  }

  /* The next shown step in that direction for which `wanted` holds. */
  function move(direction, wanted = () => true) {
    const at = direction > 0 ? visible.find(i => i > state.step && wanted(i))
      : visible.findLast(i => i < state.step && wanted(i));
    if (at !== undefined) go(at);
  }
  const switches = i => i > 0 && run().steps[i - 1][T] !== run().steps[i][T];

  function search() {
    const text = $("search").value.trim().toLowerCase();
    const { steps, threads } = run();
    state.hits = [];
    rows.forEach((row, i) => {
      const s = steps[i];
      const all = `${threads[s[T]]} ${s[WHAT]} ${s[FUNC]} ${s[LINE] ? base(data.files[s[FILE]].name) + ":" + s[LINE] : ""}`;
      const hit = text !== "" && all.toLowerCase().includes(text);
      if (hit && row) state.hits.push(i);
      row?.classList.toggle("hit", hit);
    });
    $("hits").textContent = text === "" ? "" : `${state.hits.length} found`;
  }

  function nextHit(direction) {
    if (!state.hits.length) return;
    const after = direction > 0 ? state.hits.find(i => i > state.step) : state.hits.findLast(i => i < state.step);
    go(after ?? state.hits[direction > 0 ? 0 : state.hits.length - 1]);
  }

  function showRun(which, step) {
    if (!violation().runs[which]) return;
    state.run = which;
    $("failing").setAttribute("aria-pressed", which === 0);
    $("passing").setAttribute("aria-pressed", which === 1);
    build();
    search();
    go(step ?? (which === 0 ? run().steps.length - 1 : 0));
  }

  function showViolation(n) {
    state.violation = n;
    const v = violation(), h = $("headline");
    h.replaceChildren(make("span", "bad", v.words), document.createTextNode(": " + v.message));
    $("place").textContent = "in " + v.place;
    $("runs").hidden = v.runs.length < 2;
    const why = $("why");
    const link = (text, step) => {
      if (step < 0) return make("strong", "", text);
      const a = make("a", "", text);
      a.href = "#step-" + step;
      a.addEventListener("click", event => {
        event.preventDefault();
        showRun(0, step);
        $("timeline").focus();
      });
      return a;
    };
    why.hidden = !v.deciding.length && !v.standings.length && !v.cycle && !v.orders.length && !v.runs[0].stale.length;
    why.replaceChildren(...v.standings.map(text => make("p", "", text)));
    if (v.cycle) {
      const p = make("p"), begin = v.runs[0].steps.length - v.cycle;
      p.append("From the end it goes on with ", link(`step ${begin + 1}`, begin), ", again and again.");
      why.append(p);
    }
    for (const [step, , words] of v.runs[0].stale) {
      const p = make("p", "stale-words");
      p.append(link(`Step ${step + 1}`, step), ` (${v.runs[0].threads[v.runs[0].steps[step][T]]}) ${words}.`);
      why.append(p);
    }
    for (const sentence of v.orders) why.append(make("p", "orders", sentence));
    v.deciding.forEach((d, i) => {
      const p = make("p");
      p.append(make("span", i ? "or" : "", i === 0 ? "If " : v.joint ? "and " : "or if "), link(d[2], d[0]),
        " had come before ", link(d[3], d[1]), i + 1 === v.deciding.length ? ", the run would pass." : "");
      why.append(p);
    });
    showRun(0);
  }

  function theme(dark) {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    $("theme").setAttribute("aria-pressed", dark);
    $("theme").textContent = dark ? "Light" : "Dark";
  }
  const isDark = () => document.documentElement.dataset.theme === "dark";

  function keys(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches("input[type=search], select");
    if (typing && event.target.id === "search") {
      if (event.key === "Enter") nextHit(event.shiftKey ? -1 : 1);
      if (event.key === "Escape") { event.target.value = ""; search(); $("timeline").focus(); }
    }
    if (typing) return;
    const action = {
      ArrowRight: () => move(1), ArrowDown: () => move(1), j: () => move(1),
      ArrowLeft: () => move(-1), ArrowUp: () => move(-1), k: () => move(-1),
      Home: () => go(0), End: () => go(run().steps.length - 1),
      n: () => move(1, switches), p: () => move(-1, switches),
      "/": () => $("search").focus(), t: () => theme(!isDark()), r: () => showRun(1 - state.run),
    }[event.key];
    if (action) { event.preventDefault(); action(); }
  }

  theme(matchMedia("(prefers-color-scheme: dark)").matches);
  $("program").textContent = data.program;
  $("worth").textContent = `${data.verdict} · ${data.executions} executions in ${data.seconds} s · strategy ${data.strategy} · heddle ${data.version}` +
    data.notes.map(n => " · " + n).join("");
  $("theme").addEventListener("click", () => theme(!isDark()));
  if (!data.violations.length) {
    $("headline").append(make("span", data.verdict === "verified" ? "good" : "",
      data.verdict === "verified" ? "verified: nothing breaks the program (" + data.memory + ")" : "nothing was found; not everything was explored"));
    document.title = "heddle: " + data.verdict;
    for (const part of document.querySelectorAll("main, .controls, .keys, .skip")) part.remove();
    return;
  }
  document.title = "heddle: " + data.violations[0].words + ", " + base(data.program);
  data.violations.forEach((v, i) => {
    const o = make("option", "", `${i + 1}: ${v.words}`);
    o.value = i;
    $("pick").append(o);
  });
  $("pick-label").hidden = data.violations.length < 2;
  $("pick").addEventListener("change", () => showViolation(Number($("pick").value)));
  $("first").addEventListener("click", () => go(0));
  $("last").addEventListener("click", () => go(run().steps.length - 1));
  $("prev").addEventListener("click", () => move(-1));
  $("next").addEventListener("click", () => move(1));
  $("failing").addEventListener("click", () => showRun(0));
  $("passing").addEventListener("click", () => showRun(1));
  $("fold").addEventListener("change", () => { build(); search(); show(); });
  $("search").addEventListener("input", search);
  document.addEventListener("keydown", keys);
  new ResizeObserver(() => {
    if ($("timeline").clientWidth !== width) overlay($("timeline"), lanes().used);
  }).observe($("timeline"));
  showViolation(0);
})();
