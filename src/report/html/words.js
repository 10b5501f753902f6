"use strict";
/* What the page says of a violation.  `page` says how: {make an element, link(text, step, file, line), placed: the same
   of "q.c:9", short: text with short names of files, fileOf a step}. */
const words = (() => {
  const { T } = model;
  const MOST_CAUSES = 4; /* as the text report; the others unfold */

  /* The text, each "step 7" and "q.c:9" in it a link. */
  function linked(page, text) {
    return page.short(text).split(/(\bstep \d+|[^\s()]+:\d+)/).map((part, i) => i % 2 === 0 ? part
      : part.startsWith("step ") ? page.link(part, Number(part.slice(5)) - 1) : page.placed(part));
  }

  function sentence(page, name, ...parts) {
    const p = page.make("p", name);
    p.append(...parts);
    return p;
  }

  /* Who waits, what raced, what happened to the memory, where the value came from. */
  function causes(page, v) {
    const { make, link, short } = page, run = v.runs[0], all = [];
    v.standings.forEach((text, i) => all.push(sentence(page, "", ...v.race ? [link(short(text), v.race[i] ?? -1)] : linked(page, text))));
    if (v.race) all.push(make("p", "", "Nothing puts one of the two accesses before the other."));
    for (const [text, step, file, line] of v.origins) all.push(sentence(page, "", link(short(text), step, file, line)));
    if (v.cycle) all.push(sentence(page, "", "From the end it goes on with ", ...linked(page, `step ${run.steps.length - v.cycle + 1}`), ", again and again."));
    if (v.history?.words) all.push(make("p", "", v.history.words));
    for (const [step, , text] of run.stale) {
      const whole = text.replace(/ at :(?=\d)/g, ` at ${page.fileOf(run.steps[step])}:`); /* as the text report, which says it once */
      all.push(sentence(page, "stale-words", link(`Step ${step + 1}`, step), ` (${run.threads[run.steps[step][T]]}) `, ...linked(page, whole), "."));
    }
    const why = (v.why ?? []).map(text => sentence(page, "cause", ...linked(page, text)));
    all.push(...why.slice(0, MOST_CAUSES));
    if (why.length > MOST_CAUSES) {
      const more = make("details");
      more.append(make("summary", "", `${why.length - MOST_CAUSES} more`), ...why.slice(MOST_CAUSES));
      all.push(more);
    }
    return all;
  }

  function decides(page, v) {
    const all = v.orders.map(text => page.make("p", "orders", text));
    if (v.wake) all.push(sentence(page, "", "If ", page.link(v.wake[1], v.wake[0]), v.deciding.length ? "" : ", the run would pass."));
    v.deciding.forEach((d, i) => all.push(sentence(page, "", page.make("span", i || v.wake ? "or" : "", i === 0 && !v.wake ? "If " : v.joint && i ? "and " : "or if "),
      page.link(d[2], d[0]), " had come before ", page.link(d[3], d[1]), i + 1 === v.deciding.length ? ", the run would pass." : "")));
    return all;
  }

  function explain(page, v) {
    return [["Why", causes(page, v)], ["What decides", decides(page, v)]].filter(([, all]) => all.length)
      .flatMap(([title, all]) => [page.make("h2", "", title), ...all]);
  }

  /* The calls of a scenario, time downwards: a column per thread, those before and after on their own. */
  function scenario(page, { threads, calls }) {
    const { make, link } = page, head = make("tr"), thead = make("thead"), body = make("tbody");
    const AFTER = 5, last = Math.max(0, ...calls.map(c => c[1]));
    const cell = call => {
      const td = make("td", call?.[4] ? "odd" : "");
      if (call) td.append(link(call[2], call[3]));
      if (call) td.dataset.step = call[3];
      if (call?.[4]) td.append(make("span", "sr", ", contradicts the others"));
      return td;
    };
    const row = (title, cells) => {
      const tr = make("tr"), th = make("th", "", title);
      th.scope = "row";
      tr.append(th, ...cells);
      body.append(tr);
    };
    const alone = (title, part) => calls.filter(c => c[0] === part).forEach(call => {
      const td = cell(call);
      td.colSpan = threads;
      row(title, [td]);
    });
    head.append(make("td"));
    for (let t = 1; t <= threads; t++) {
      const th = make("th", "", `T${t}`);
      th.scope = "col";
      head.append(th);
    }
    alone("before", 0);
    for (let i = 0; i <= last; i++)
      row(i ? "" : "together", Array.from({ length: threads }, (_, t) => cell(calls.find(c => c[0] === t + 1 && c[1] === i))));
    alone("after", AFTER);
    thead.append(head);
    return [thead, body];
  }

  /* Copies, or selects `from` where the browser does not let a page copy. */
  function copy(text, button, from) {
    const say = said => {
      button.textContent = said;
      setTimeout(() => { button.textContent = button.dataset.words; }, 1500);
    };
    button.dataset.words ??= button.textContent;
    const selected = () => {
      if (from) getSelection().selectAllChildren(from);
      say(from ? "Selected" : "See the address bar");
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => say("Copied"), selected);
    else selected();
  }

  function commands({ make }, v) {
    return v.commands.map(([purpose, command]) => {
      const row = make("div", "command"), code = make("code", "", command), button = make("button", "", "Copy");
      button.type = "button";
      button.setAttribute("aria-label", `Copy the command: ${purpose}`);
      button.addEventListener("click", () => copy(command, button, code));
      row.append(make("span", "for", purpose), code, button);
      return row;
    });
  }

  return { explain, scenario, commands, copy };
})();
