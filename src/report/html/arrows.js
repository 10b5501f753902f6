"use strict";
/* What is drawn over the rows.  `to` says where: {svg, run, at: step -> row, x of a thread, y of a row,
   sees(a, b): is something between these rows in sight, here: the current step, or -1, colour, used}. */
const arrows = (() => {
  const { T } = model;

  function svg(tag, attributes, parent) {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    parent.append(e);
    return e;
  }

  function heads(s) {
    const defs = svg("defs", {}, s);
    for (const [id, fill] of [["head", "var(--arrow)"], ["stale-head", "var(--bad)"]]) {
      const head = svg("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7,
        orient: "auto-start-reverse" }, defs);
      svg("path", { d: "M0 0 L8 4 L0 8 z", fill }, head);
    }
  }

  /* Arrows of happens-before: those of the current step, and the others faint. */
  function edges({ svg: s, run, at, x, y, sees, here }) {
    for (const [from, to] of run.edges) {
      const a = at.get(from), b = at.get(to);
      if (a === undefined || b === undefined || !sees(a, b)) continue;
      const x1 = x(run.steps[from][T]), x2 = x(run.steps[to][T]), side = x2 > x1 ? 1 : -1, mine = from === here || to === here;
      svg("path", { d: `M${x1 + 6 * side} ${y(a)} C${(x1 + x2) / 2} ${y(a)}, ${(x1 + x2) / 2} ${y(b)}, ${x2 - 7 * side} ${y(b)}`,
        fill: "none", stroke: "var(--arrow)", "stroke-width": mine ? 1.8 : 1, opacity: mine ? 1 : .22,
        "marker-end": "url(#head)", class: mine ? "edge mine" : "edge" }, s);
    }
  }

  function ring(s, cx, cy, name) {
    svg("circle", { cx, cy, r: 8, fill: "none", stroke: "var(--bad)", "stroke-width": 1.6, class: name }, s);
  }

  /* From the store that a stale load read to the load; from the top, if it is the initial value. */
  function stale({ svg: s, run, at, x, y, sees, here }) {
    for (const [step, source, words] of run.stale) {
      const b = at.get(step), a = at.get(source);
      if (b === undefined || !sees(a ?? 0, b)) continue;
      const x2 = x(run.steps[step][T]), y2 = y(b), seen = a !== undefined;
      const x1 = seen ? x(run.steps[source][T]) : x2 + 12, y1 = seen ? y(a) : y(0) - 14;
      const bend = x1 === x2 ? x1 + 30 : (x1 + x2) / 2;
      if (source >= -1) {
        const from = seen ? `M${x1} ${y1} C${bend} ${y1}, ${bend} ${y2},` : `M${x1} ${y1} C${x1} ${(y1 + y2) / 2}, ${x1} ${y2},`;
        const arrow = svg("path", { d: `${from} ${x2 + (x1 > x2 ? 6 : -6)} ${y2}`, fill: "none", stroke: "var(--bad)",
          "stroke-width": 1.6, "stroke-dasharray": "5 3", "marker-end": "url(#stale-head)", class: "stale-edge",
          opacity: run.stale.length < 4 || step === here ? 1 : .3 }, s);
        svg("title", {}, arrow).textContent = words;
      }
      ring(s, x2, y2, "stale-mark");
    }
  }

  /* The two accesses of a data race. */
  function race({ svg: s, run, at, x, y }, steps) {
    const [a, b] = steps.map(step => at.get(step));
    if (a === undefined || b === undefined) return;
    const [x1, x2] = steps.map(step => x(run.steps[step][T]));
    const line = svg("path", { d: `M${x1} ${y(a)} L${x2} ${y(b)}`, fill: "none", stroke: "var(--bad)", "stroke-width": 2,
      "stroke-dasharray": "3 3", class: "race-edge" }, s);
    svg("title", {}, line).textContent = "nothing puts one of the two accesses before the other";
    ring(s, x1, y(a), "race-mark");
    ring(s, x2, y(b), "race-mark");
  }

  function locks({ svg: s, run, at, x, y, sees, colour, used }) {
    run.held ??= model.held(run.steps);
    const near = i => { while (i >= 0 && !at.has(i)) i--; return at.get(i); };
    for (const bar of run.held) {
      const from = near(bar.from), to = near(bar.to);
      if (from === undefined || to === undefined || !sees(from, to) || !used.includes(bar.thread)) continue;
      const r = svg("rect", { x: x(bar.thread) - 11 + bar.depth * 4, y: y(from) - 9, width: 5, rx: 2.5,
        height: Math.max(18, y(to) - y(from) + 18), fill: colour(bar.thread), opacity: .55, class: "lock-bar" }, s);
      svg("title", {}, r).textContent = `${run.threads[bar.thread]} holds ${bar.object}`;
    }
  }

  /* A bracket over the steps of each call; open at its end if the call does not return. */
  function calls({ svg: s, run, at, x, y, sees, colour, used }, n) {
    const near = i => { while (i >= 0 && !at.has(i)) i--; return at.get(i) ?? 0; };
    for (const [thread, begin, end, words] of run.calls) {
      const from = near(begin), to = end < 0 ? n - 1 : near(end), left = x(thread) - 13;
      if (!sees(from, to) || !used.includes(thread)) continue;
      const path = `M${left + 8} ${y(from)} H${left} V${y(to)}` + (end < 0 ? "" : ` H${left + 8}`);
      const bracket = svg("path", { d: path, fill: "none", stroke: colour(thread), "stroke-width": 2, class: "call-bracket" }, s);
      svg("title", {}, bracket).textContent = words;
    }
  }

  return { svg, heads, edges, stale, race, locks, calls };
})();
