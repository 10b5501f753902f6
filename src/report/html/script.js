"use strict";
/* One state: which violation, which rows (of the failing run, of the passing one, of both) and which
   of the rows is the current one.  build() makes the list of rows; draw() puts those on the screen
   that are in sight; show() makes a row the current one. */
(() => {
  const { T, WHAT, OBJECT, FILE, LINE, FUNC, FLAGS, PREEMPTION, MATTERS, HIDDEN, CALL } = model;
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = id => document.getElementById(id);
  const ROW = 28, SPARE = 12, DOT = 15, MOST_VALUES = 100;
  const FAILING = 0, PASSING = 1, BOTH = 2;
  const MODES = ["failing", "passing", "both"];
  const state = { violation: 0, mode: FAILING, row: 0, object: null, hits: [] };
  const make = (tag, cls, text) => {
    const e = document.createElement(tag);
    if (cls) e.className = cls;
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const colour = t => `var(--t${t % 8})`;
  const violation = () => data.violations[state.violation];
  const current = () => rows[state.row];
  const runOf = row => violation().runs[row.run];
  const stepOf = row => runOf(row).steps[row.step];
  const ends = () => state.mode === PASSING ? [] : violation().ends;
  const base = name => name.replace(/.*\//, "");
  /* The end of a file's path that no other file has. */
  const tail = name => {
    const parts = name.split("/"), ends = (f, end) => f !== name && ("/" + f).endsWith("/" + end);
    for (let n = 1; n < parts.length; n++) {
      const end = parts.slice(-n).join("/");
      if (!data.files.some(f => ends(f.name, end))) return end;
    }
    return name;
  };
  /* Words with files by these. */
  const short = text => data.files.reduce((t, f) => t.replaceAll(f.name, tail(f.name)), text);
  const wordsOf = s => s[WHAT].replace(/^atomic-/, "");

  let rows = []; /* {run, step, other: the same step of the other run, mark} */
  let rowAt = [new Map(), new Map()]; /* by run: step -> row */
  let used = [], view = { lane: 0, whole: 0, gutter: 56, width: 0 };

  /* ---- rows ---- */

  /* The two runs beside each other; once per violation. */
  function alignment(v) {
    if (!v.alignment && v.runs.length > 1) v.alignment = model.align(v.runs[0], v.runs[1]);
    return v.alignment;
  }

  function listRows() {
    const v = violation();
    if (state.mode !== BOTH) return v.runs[state.mode].steps.map((_, step) => ({ run: state.mode, step, mark: "" }));
    return alignment(v).pairs.map(([a, b]) => a === undefined ? { run: PASSING, step: b, mark: "+" }
      : { run: FAILING, step: a, other: b, mark: b === undefined ? "−" : "" });
  }

  const spokenOf = v => new Set([...v.deciding.flatMap(d => [d[0], d[1]]), ...v.origins.map(o => o[1]), ...v.race ?? []]);
  const isLast = row => row.step === (runOf(row).last ??= runOf(row).steps.findLastIndex(s => !(s[FLAGS] & HIDDEN)));

  function build() {
    const v = violation(), spoken = spokenOf(v);
    v.decides = new Set([...v.deciding.flatMap(d => [d[0], d[1]]), ...v.wake ? [v.wake[0]] : []]);
    const folded = $("fold").checked;
    for (const run of v.runs) run.isStale ??= new Map(run.stale.map(([step, , words]) => [step, words]));
    rows = listRows().filter(row => {
      const s = stepOf(row);
      if (s[FLAGS] & HIDDEN) return false; /* of the code around calls */
      if (state.object !== null && model.self(s) !== state.object) return false;
      return !folded || s[FLAGS] & (MATTERS | PREEMPTION) || runOf(row).isStale.has(row.step) || isLast(row)
        || (row.run === FAILING && spoken.has(row.step));
    });
    rowAt = [new Map(), new Map()];
    rows.forEach((row, i) => {
      rowAt[row.run].set(row.step, i);
      if (row.other !== undefined) rowAt[PASSING].set(row.other, i);
    });
    used = [...new Set([...rows.map(r => stepOf(r)[T]), ...ends().map(e => e[0])])].sort((a, b) => a - b);
    $("unfilter").hidden = state.object === null;
    document.querySelector("main").classList.toggle("wide", used.length > 5);
    layOut();
  }

  let letter = 0; /* the width of one, in a row */
  /* What the same step of the passing run reads or writes, if it is something else. */
  const otherwise = row => {
    const words = row.other === undefined ? "" : wordsOf(violation().runs[PASSING].steps[row.other]);
    return words === "" || words === wordsOf(stepOf(row)) ? "" : ` (passing: ${words.replace(/^.*?( = |: | (?=returns ))/, "")})`;
  };
  const labelWidth = row => (wordsOf(stepOf(row)).length + otherwise(row).length + (row.run === FAILING && violation().decides.has(row.step) ? 2 : 0)) * letter +
    (isDifference(row) ? 150 : 44);
  function layOut() {
    const panel = $("panel"), box = $("timeline");
    if (!letter) {
      const probe = make("span", "row", "0".repeat(100));
      probe.style.cssText = "visibility:hidden;right:auto";
      box.append(probe);
      letter = probe.getBoundingClientRect().width / 100;
      probe.remove();
    }
    const labels = used.map(() => 0);
    for (const row of rows) {
      const s = stepOf(row), lane = used.indexOf(s[T]);
      labels[lane] = Math.max(labels[lane], labelWidth(row));
    }
    const gutter = state.mode === BOTH ? 92 : 56;
    view = { ...model.lay(panel.clientWidth, gutter, labels, panel.clientWidth < 500 ? 62 : 76), gutter, width: panel.clientWidth };
    const { threads, roles } = violation().runs[0];
    $("lanes").replaceChildren(...used.map((t, k) => {
      const role = roles[threads[t]] ?? threads[t], fits = role.length * letter <= view.lane - 8;
      const e = make("span", "", fits ? role : threads[t]);
      e.style.cssText = `left:${gutter + k * view.lane + 24}px;max-width:${view.lane - 8}px;color:${colour(t)}`;
      e.title = role;
      return e;
    }));
    $("lanes").style.width = box.style.width = view.whole + "px";
    box.style.height = rows.length * ROW + "px";
    $("ends").style.width = view.width + "px";
    $("ends").replaceChildren(...ends().map(([t, words]) => {
      const row = make("div", "row"), what = make("span", "what", words), who = make("span", "", threads[t] + ": ");
      const length = (words.length + threads[t].length + 2) * letter + 40;
      what.style.marginLeft = Math.max(0, Math.min(used.indexOf(t) * view.lane, view.width - gutter - length)) + gutter + 24 + "px";
      who.style.color = colour(t);
      what.prepend(who);
      row.append(make("span", "n", "!"), what);
      return row;
    }));
  }

  /* ---- what is in sight ---- */

  const x = t => view.gutter + used.indexOf(t) * view.lane + DOT;

  /* What a screen reader says behind the words of a row. */
  function aside(row, s) {
    const stale = runOf(row).isStale.get(row.step);
    return (s[LINE] ? `, ${tail(data.files[s[FILE]].name)} line ${s[LINE]}` : "") +
      (s[FLAGS] & PREEMPTION ? ", preempts the thread before" : "") + (stale ? ", " + stale : "") +
      (row.mark === "+" ? ", only in the passing run" : row.mark ? ", only in the failing run" : "") +
      (isDifference(row) ? ", the first difference between the runs" : "");
  }

  function drawRow(i) {
    const row = rows[i], s = stepOf(row), v = violation(), failing = row.run === FAILING;
    const e = make("div", "row"), before = rows[i - 1];
    e.id = `step-${row.run === PASSING ? "passing-" : ""}${row.step}`;
    e.style.top = i * ROW + "px";
    e.setAttribute("role", "option");
    e.setAttribute("aria-posinset", i + 1);
    e.setAttribute("aria-setsize", rows.length);
    e.setAttribute("aria-selected", i === state.row);
    const classes = { here: i === state.row, later: i > state.row, switch: before && stepOf(before)[T] !== s[T],
      pre: s[FLAGS] & PREEMPTION, decides: failing && v.decides.has(row.step), stale: runOf(row).isStale.has(row.step), call: s[FLAGS] & CALL,
      broken: failing && !v.ends.length && isLast(row), racing: failing && v.race?.includes(row.step),
      hit: state.found?.has(i), only: row.mark, plus: row.mark === "+", difference: isDifference(row) };
    for (const [name, on] of Object.entries(classes)) if (on) e.classList.add(name);
    const n = make("span", "n");
    n.style.width = view.gutter - 8 + "px";
    n.append(make("span", "sr", "Step "), row.mark === "+" ? "" : row.step + 1);
    if (state.mode === BOTH)
      n.append(make("span", "other", row.mark === "+" ? "+" + (row.step + 1) : row.mark || row.other + 1));
    const what = make("span", "what"), words = wordsOf(s), cut = words.search(/ = |: /), label = make("span", "label");
    what.style.left = x(s[T]) - DOT + "px";
    label.append(make("b", "", cut < 0 ? words : words.slice(0, cut)));
    if (cut >= 0) label.append(make("span", "val", words.slice(cut)));
    if (otherwise(row)) label.append(make("span", "val otherwise", otherwise(row)));
    label.title = s[WHAT] + (runOf(row).isStale.has(row.step) ? ": " + runOf(row).isStale.get(row.step) : "");
    what.append(make("span", "sr", `, ${runOf(row).threads[s[T]]}: `), label, make("span", "sr", aside(row, s)));
    e.append(n, what);
    e.addEventListener("click", () => show(i));
    return e;
  }

  function draw() {
    const panel = $("panel"), box = $("timeline"), v = violation();
    const all = document.documentElement.classList.contains("printed");
    const lo = all ? 0 : Math.max(0, Math.floor(panel.scrollTop / ROW) - SPARE);
    const hi = all ? rows.length : Math.min(rows.length, Math.ceil((panel.scrollTop + panel.clientHeight) / ROW) + SPARE);
    const shown = [];
    for (let i = lo; i < hi; i++) shown.push(i);
    if (current() && (state.row < lo || state.row >= hi)) shown.push(state.row); /* it is the active one */
    box.replaceChildren(...shown.map(drawRow));
    if (!current()) return;
    const s = arrows.svg("svg", { width: view.whole, height: Math.max(0, hi - lo) * ROW, "aria-hidden": "true" }, box);
    s.style.top = lo * ROW + "px";
    const run = state.mode === BOTH ? v.runs[0] : v.runs[state.mode];
    const to = { svg: s, run, at: rowAt[run === v.runs[0] ? FAILING : PASSING], x, y: i => (i - lo) * ROW + ROW / 2,
      sees: (a, b) => Math.max(a, b) >= lo && Math.min(a, b) < hi, here: runOf(current()) === run ? current().step : -1, colour, used };
    arrows.heads(s);
    for (const t of used)
      arrows.svg("line", { x1: x(t), x2: x(t), y1: 0, y2: (hi - lo) * ROW, stroke: colour(t), "stroke-width": 2, opacity: .25 }, s);
    if (state.object === null) arrows.locks(to);
    arrows.calls(to, rows.length);
    if (state.mode !== BOTH) arrows.edges(to);
    arrows.stale(to);
    if (state.mode !== PASSING && v.race) arrows.race(to, v.race);
    for (let i = lo; i < hi; i++)
      arrows.svg("circle", { cx: x(stepOf(rows[i])[T]), cy: to.y(i), r: 4.5, fill: colour(stepOf(rows[i])[T]), class: "dot" }, s);
  }

  /* Scrolls so that the current row is in sight, with its words. */
  function reveal() {
    const panel = $("panel"), i = state.row, top = $("lanes").offsetHeight + i * ROW, head = $("lanes").offsetHeight;
    const lane = used.indexOf(stepOf(current())[T]), left = lane * view.lane;
    const right = view.gutter + left + labelWidth(current());
    if (i === rows.length - 1) panel.scrollTop = panel.scrollHeight;
    else if (top < panel.scrollTop + head + ROW || top > panel.scrollTop + panel.clientHeight - 2 * ROW)
      panel.scrollTop = top - panel.clientHeight / 2;
    if (right > panel.scrollLeft + panel.clientWidth) panel.scrollLeft = Math.min(left, right - panel.clientWidth);
    if (left < panel.scrollLeft) panel.scrollLeft = left;
    const at = panel.getBoundingClientRect().top + top - panel.scrollTop, bar = document.querySelector("nav.controls").offsetHeight;
    if (at + 2 * ROW > innerHeight || at < bar + head) scrollBy(0, at - Math.max(bar + head, innerHeight / 2));
  }

  /* ---- beside the rows ---- */

  const files = []; /* by file: its lines as elements */
  let marked = [], shownFile = -1;

  function linesOf(file) {
    return files[file] ??= data.files[file].lines.map((text, i) => {
      const l = make("div", "l");
      l.append(make("span", "no", i + 1), make("code", "", text || " "));
      return l;
    });
  }

  function showFile(file) {
    if (file === shownFile || !data.files[file]) return;
    shownFile = file;
    $("source").replaceChildren(...linesOf(file));
    $("file").textContent = data.files[file].name;
    const select = $("files").firstElementChild;
    if (select) select.value = file;
  }

  function mark(file, line, name) {
    const l = data.files[file] && linesOf(file)[line - 1];
    if (l) {
      l.classList.add(name);
      marked.push(l);
    }
    return l;
  }

  function centre(line) {
    const box = $("source");
    if (line) box.scrollTop = line.offsetTop - box.offsetTop - box.clientHeight / 2;
  }

  /* Where every thread is; at the end, where it waits or broke the program. */
  function showSource(row) {
    const run = runOf(row), s = stepOf(row), at = model.places(run, row.step), v = violation();
    if (row.run === FAILING && isLast(row))
      for (const [t, , file, line] of v.ends)
        if (line) at.set(t, { [FILE]: file, [LINE]: line });
    for (const l of marked) {
      l.classList.remove("here", "fault");
      l.querySelector(".chips")?.remove();
    }
    marked = [];
    const here = s[LINE] ? s : at.get(s[T]);
    showFile(here?.[FILE] ?? 0);
    const line = here && mark(here[FILE], here[LINE], "here");
    if (row.run === FAILING) mark(v.at[0], v.at[1], "fault");
    for (const [t, p] of at) {
      const l = mark(p[FILE], p[LINE], "l"), chip = make("span", "chip", run.threads[t]);
      chip.style.background = colour(t);
      if (!l) continue;
      if (!l.querySelector(".chips")) l.append(make("span", "chips"));
      l.querySelector(".chips").append(chip);
    }
    centre(line);
  }

  function filter(object) {
    const { run, step } = current();
    state.object = object;
    build();
    search();
    show(nearest(run, step));
  }

  function showValues(row) {
    const run = runOf(row), all = [...model.values(run, row.step)], body = $("values").tBodies[0];
    const newest = all.length > MOST_VALUES
      ? new Set([...all].sort((a, b) => b[1].step - a[1].step).slice(0, MOST_VALUES).map(([k]) => k)) : null;
    body.replaceChildren();
    for (const [key, v] of all) {
      if (newest && !newest.has(key)) continue;
      const tr = make("tr", v.step === row.step ? "changed" : ""), who = make("td", "", `${run.threads[v.thread]}, step ${v.step + 1}`);
      const name = make("td"), button = make("button", "object", v.name);
      button.type = "button";
      button.title = `Only the accesses of ${key}`;
      button.setAttribute("aria-pressed", state.object === key);
      button.addEventListener("click", () => filter(state.object === key ? null : key));
      name.append(button);
      who.style.color = colour(v.thread);
      tr.append(name, make("td", "", v.value), who);
      body.append(tr);
    }
    const rest = all.length - body.rows.length;
    if (!all.length || rest) {
      const tr = make("tr"), td = make("td", "", rest ? `${rest} more, touched earlier` : "nothing has been read or written yet");
      td.colSpan = 3;
      tr.append(td);
      body.append(tr);
    }
  }

  function showOutput(row) {
    const parts = runOf(row).output;
    $("output-panel").hidden = !parts.length;
    $("output").replaceChildren(...parts.map(([step, text]) => {
      const e = make("span", step > row.step ? "later" : "", text);
      e.title = `printed after step ${step + 1}`;
      return e;
    }));
  }

  /* ---- moving ---- */

  let saving = 0;
  function hash() {
    const row = current();
    return `#v${state.violation + 1}${state.mode === BOTH ? "-both" : ""}${row.run === PASSING ? "-passing" : ""}-step${row.step + 1}`;
  }

  function show(i) {
    state.row = Math.max(0, Math.min(rows.length - 1, i));
    const row = current();
    if (!row) return draw();
    const run = runOf(row), s = stepOf(row);
    run.hides ??= run.steps.some(step => step[FLAGS] & HIDDEN);
    $("where").textContent = `Step ${row.step + 1}` + (run.hides ? "" : ` of ${run.steps.length}`) +
      (state.mode === BOTH ? row.run === PASSING ? " of the passing run" : " of the failing run" : "") + ` · ${run.threads[s[T]]} · ${s[WHAT]}`;
    $("prev").disabled = $("first").disabled = state.row === 0;
    $("next").disabled = $("last").disabled = state.row === rows.length - 1;
    $("difference").disabled = state.row === firstDifference();
    $("unfilter").textContent = `✕ only ${s[OBJECT]}`;
    reveal();
    draw();
    $("timeline").setAttribute("aria-activedescendant", $("timeline").querySelector(".here").id);
    showValues(row);
    showOutput(row);
    showScenario(row);
    showSource(row); /* it scrolls, for which everything must have its place */
    clearTimeout(saving); /* browsers limit how often */
    saving = setTimeout(() => history.replaceState(null, "", hash()), 150);
  }

  function move(direction, wanted = () => true) {
    for (let i = state.row + direction; i >= 0 && i < rows.length; i += direction)
      if (wanted(i)) return show(i);
  }
  const switches = i => i > 0 && stepOf(rows[i - 1])[T] !== stepOf(rows[i])[T];
  const isDifference = row => violation().alignment && (state.mode === BOTH
    ? row.mark && row.step === violation().alignment.first[row.run] && rows[firstDifference()] === row
    : row.step === violation().alignment.first[state.mode]);
  const firstDifference = () => state.mode === BOTH ? rows.findIndex(r => r.mark)
    : rowAt[state.mode].get(violation().alignment?.first[state.mode]) ?? rows.length - 1;

  function search() {
    const text = $("search").value.trim().toLowerCase();
    state.hits = [];
    if (text !== "")
      rows.forEach((row, i) => {
        const s = stepOf(row), place = s[LINE] ? tail(data.files[s[FILE]].name) + ":" + s[LINE] : "";
        if (`${runOf(row).threads[s[T]]} ${s[WHAT]} ${s[FUNC]} ${place}`.toLowerCase().includes(text)) state.hits.push(i);
      });
    state.found = new Set(state.hits);
    $("hits").textContent = text === "" ? "" : `${state.hits.length} found`;
  }

  function nextHit(direction) {
    if (!state.hits.length) return;
    const after = direction > 0 ? state.hits.find(i => i > state.row) : state.hits.findLast(i => i < state.row);
    show(after ?? state.hits[direction > 0 ? 0 : state.hits.length - 1]);
  }

  /* The row of that step, or the nearest one before it that is shown. */
  const nearest = (run, step) => {
    while (step > 0 && !rowAt[run].has(step)) step--;
    return rowAt[run].get(step) ?? 0;
  };

  /* Shows a run, or both, at that step; otherwise the failing run at its end, the passing one where
     the failing one was, both where they differ first. */
  function showRun(mode, step, run = mode === PASSING ? PASSING : FAILING) {
    const v = violation(), was = current();
    if (mode !== FAILING && !v.runs[1]) return;
    if (step === undefined && was && mode !== BOTH && state.mode !== mode && was.run < v.runs.length)
      step = was.run === mode ? was.step : model.counterpart(v.runs[was.run], was.step, v.runs[mode]);
    state.mode = mode;
    state.object = null;
    MODES.forEach((id, i) => $(id).setAttribute("aria-pressed", i === mode));
    build();
    search();
    if (step !== undefined && !rowAt[run].has(step) && $("fold").checked) {
      $("fold").checked = false;
      build();
      search();
    }
    show(step !== undefined ? nearest(run, step) : mode === BOTH ? firstDifference() : rows.length - 1);
  }

  /* ---- what the page says of the violation ---- */

  function link(text, step, file, line) {
    const known = step >= 0 || line > 0;
    if (!known) return make("strong", "", text);
    const a = make("a", "", text);
    a.href = step >= 0 ? `#v${state.violation + 1}-step${step + 1}` : "#source";
    a.addEventListener("click", event => {
      event.preventDefault();
      if (step >= 0) {
        showRun(FAILING, step);
        $("timeline").focus({ preventScroll: true });
      } else {
        showFile(file);
        centre(mark(file, line, "here"));
      }
    });
    return a;
  }

  /* A place like q.c:9 as a link to the line; the text alone, if it is in none of the files. */
  function placed(text) {
    const [, name, line] = text.match(/^(.*):(\d+)$/), file = data.files.findIndex(f => tail(f.name) === name);
    return file < 0 ? text : link(text, -1, file, Number(line));
  }
  const fileOf = s => s[LINE] ? tail(data.files[s[FILE]].name) : "";
  const page = { make, link, placed, short, fileOf };
  function explain(v) {
    $("why").replaceChildren(...words.explain(page, v));
    $("why").hidden = !$("why").children.length;
    $("scenario-panel").hidden = !v.history;
    $("scenario").replaceChildren(...v.history ? words.scenario(page, v.history) : []);
  }

  /* Which calls of the scenario are under way. */
  function showScenario(row) {
    const open = new Set(row.run === FAILING ? runOf(row).calls.filter(c => c[1] <= row.step && (c[2] < 0 || row.step <= c[2])).map(c => c[1]) : []);
    for (const td of $("scenario").querySelectorAll("td[data-step]")) td.classList.toggle("now", open.has(Number(td.dataset.step)));
  }

  function showCommands(v) {
    $("commands-panel").hidden = !v.commands.length;
    $("commands").replaceChildren(...words.commands(page, v));
  }

  function showViolation(n, mode = FAILING, step, run) {
    state.violation = n;
    state.mode = FAILING;
    rows = [];
    const v = violation();
    $("pick").value = n;
    $("program").textContent = v.program ?? data.program;
    $("headline").replaceChildren(make("span", "bad", v.history?.title || v.words), v.history?.title ? "" : ": " + short(v.message));
    $("place").textContent = v.history?.title ? "" : "in " + short(v.place);
    $("runs").hidden = $("difference").hidden = v.runs.length < 2;
    alignment(v);
    explain(v);
    showCommands(v);
    showRun(mode < 2 && !v.runs[mode] ? FAILING : mode, step, run);
  }

  function follow() {
    const to = location.hash.match(/^#v(\d+)(-both)?(-passing)?-step(\d+)$/);
    const n = to ? Number(to[1]) - 1 : -1;
    if (!data.violations[n]) return false;
    const run = to[3] ? PASSING : FAILING;
    if (run === PASSING && !data.violations[n].runs[1]) return false;
    showViolation(n, to[2] && data.violations[n].runs[1] ? BOTH : run, Number(to[4]) - 1, run);
    return true;
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
      if (event.key === "Escape") { event.target.value = ""; search(); draw(); $("timeline").focus(); }
    }
    if (typing || !rows.length) return;
    const action = {
      ArrowRight: () => move(1), ArrowDown: () => move(1), j: () => move(1),
      ArrowLeft: () => move(-1), ArrowUp: () => move(-1), k: () => move(-1),
      Home: () => show(0), End: () => show(rows.length - 1),
      n: () => move(1, switches), p: () => move(-1, switches),
      "/": () => $("search").focus(), t: () => theme(!isDark()), r: () => showRun(state.mode === FAILING ? PASSING : FAILING),
      d: () => violation().alignment && show(firstDifference()),
    }[event.key];
    if (action) { event.preventDefault(); action(); }
  }

  /* The threads of both runs by one numbering. */
  function renumber(v) {
    const [a, b] = v.runs;
    if (!b || a.threads.join() === b.threads.join()) return;
    const names = [...new Set([...a.threads, ...b.threads])];
    for (const s of b.steps) s[T] = names.indexOf(b.threads[s[T]]);
    a.threads = b.threads = names;
  }

  function listen() {
    $("pick").addEventListener("change", () => showViolation(Number($("pick").value)));
    $("first").addEventListener("click", () => show(0));
    $("last").addEventListener("click", () => show(rows.length - 1));
    $("prev").addEventListener("click", () => move(-1));
    $("next").addEventListener("click", () => move(1));
    $("link").addEventListener("click", () => {
      history.replaceState(null, "", hash());
      words.copy(location.href, $("link"));
    });
    MODES.forEach((id, mode) => $(id).addEventListener("click", () => showRun(mode)));
    $("difference").addEventListener("click", () => show(firstDifference()));
    $("unfilter").addEventListener("click", () => filter(null));
    $("fold").addEventListener("change", () => {
      const { run, step } = current();
      build();
      search();
      show(nearest(run, step));
    });
    $("search").addEventListener("input", () => { search(); draw(); });
    document.addEventListener("keydown", keys);
    addEventListener("hashchange", follow);
    let waiting = false;
    $("panel").addEventListener("scroll", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; draw(); });
    });
    const print = on => { document.documentElement.classList.toggle("printed", on && rows.length < 2000); draw(); };
    addEventListener("beforeprint", () => print(true));
    addEventListener("afterprint", () => print(false));
    new ResizeObserver(() => {
      if ($("panel").clientWidth === view.width) return draw();
      layOut();
      reveal();
      draw();
    }).observe($("panel"));
  }

  theme(matchMedia("(prefers-color-scheme: dark)").matches);
  $("program").textContent = data.program;
  const group = n => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
  $("worth").textContent = data.verdict + (data.executions ? ` · ${group(data.executions)} execution${data.executions === 1 ? "" : "s"} in ${data.seconds} s` : "") +
    (data.strategy ? ` · strategy ${data.strategy}` : "") + ` · heddle ${data.version}` + (data.violations.length ? data.notes.map(n => " · " + n).join("") : "");
  $("theme").addEventListener("click", () => theme(!isDark()));
  if (!data.violations.length) {
    $("headline").append(make("span", data.verdict === "verified" ? "good" : "",
      data.verdict === "verified" ? "verified: no interleaving breaks the program (" + data.memory + ")" : "nothing was found; not everything was explored"));
    const notes = make("ul", "notes");
    notes.append(...data.notes.map(n => make("li", "", n)));
    document.querySelector("header").after(notes);
    document.title = "heddle: " + data.verdict;
    for (const part of document.querySelectorAll("main, .controls, .keys, .skip")) part.remove();
    return;
  }
  document.title = "heddle: " + data.violations[0].words + ", " + base(data.program);
  data.violations.forEach((v, i) => {
    const o = make("option", "", `${i + 1}: ${v.words}` + (v.program ? ` (${base(v.program)})` : ""));
    o.value = i;
    $("pick").append(o);
    renumber(v);
  });
  $("pick-label").hidden = data.violations.length < 2;
  if (data.files.length > 1) {
    const select = make("select");
    select.setAttribute("aria-label", "File");
    data.files.forEach((f, i) => {
      const o = make("option", "", tail(f.name));
      o.value = i;
      select.append(o);
    });
    select.addEventListener("change", () => showFile(Number(select.value)));
    $("files").append(select);
  }
  listen();
  if (!follow()) showViolation(0);
})();
