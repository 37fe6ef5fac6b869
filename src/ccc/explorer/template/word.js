// A covariate along the path: its cluster at every position, who joins and who leaves.

const MOST_CHIPS = 60;
const MOST_NAMED = 8;

// Stretches of positions over which the cluster of a covariate stays the same.
function stretchesOf(word) {
  const stretches = [];
  let before = null;
  model.clusterings.forEach((row, r) => {
    const members = [];
    for (let j = 0; j < model.d; j += 1) if (row[j] === row[word]) members.push(j);
    const same = before && members.length === before.length && members.every((j, i) => j === before[i]);
    if (same) stretches[stretches.length - 1].last = r;
    else stretches.push({ first: r, last: r, members, previous: before ?? [word] });
    before = members;
  });
  // From clusterings to positions.
  for (const stretch of stretches) {
    stretch.from = model.rows.indexOf(stretch.first);
    stretch.to = model.rows.lastIndexOf(stretch.last);
  }
  return stretches;
}

function named(members) {
  const names = byStrength(members).slice(0, MOST_NAMED).map((j) => model.names[j]);
  const rest = members.length - names.length;
  return names.join(", ") + (rest ? ` and ${rest} more` : "");
}

function changeOf(stretch, first) {
  const now = new Set(stretch.members);
  const before = new Set(stretch.previous);
  const came = stretch.members.filter((j) => !before.has(j));
  const went = stretch.previous.filter((j) => !now.has(j));
  const parts = [];
  if (came.length) parts.push(`+ ${named(came)}`);
  if (went.length) parts.push(`− ${named(went)}`);
  if (!parts.length && first) parts.push("by itself");
  return parts.join("; ");
}

// Badge, class and odds ratio; where there are numbers, a name may be left to those who hear.
function classText(level, j, short = false) {
  if (!model.levels) return [];
  const { codes, classes } = model.levels[level];
  return [
    badge(classes[j]),
    make("span", short && model.numbered ? { class: "unseen" } : {}, ` ${model.classes[classes[j]].name}`),
    " ",
    make("span", { class: "ratio" }, oddsText(codes[j])),
  ];
}

function setUpWord() {
  const box = document.getElementById("found");
  let stretches = [];
  let chart = null;

  const chips = (members) => {
    const list = make("div", { class: "chips" });
    const sorted = byStrength(members);
    const add = (from) => {
      for (const j of sorted.slice(from, from + MOST_CHIPS)) {
        const chip = make("button", { type: "button" }, model.names[j]);
        if (model.levels) {
          const { classes, codes } = model.levels[0];
          const { colour, name } = model.classes[classes[j]];
          chip.style.setProperty("--class", colour);
          chip.title = `by itself: ${name}, odds ratio ${oddsText(codes[j])}`;
        }
        chip.addEventListener("click", () => update({ word: j }));
        list.append(chip);
      }
      const rest = sorted.length - from - MOST_CHIPS;
      if (rest > 0) {
        const more = make("button", { type: "button" }, `… ${rest} more`);
        more.addEventListener("click", () => {
          more.remove();
          add(from + MOST_CHIPS);
        });
        list.append(more);
      }
    };
    add(0);
    return list;
  };

  const table = () => {
    const body = make("tbody");
    stretches.forEach((stretch, i) => {
      const { from, to } = stretch;
      const ends = from === to ? [from] : [from, to];
      const range = ends.map((position) => numberText(model.nus[position])).join(" … ");
      const jump = make("button", { type: "button" }, range);
      const inside = state.position >= from && state.position <= to;
      jump.addEventListener("click", () => update({ position: from }));
      const row = make("tr", inside ? { class: "now", "aria-current": "true" } : {});
      row.append(make("td", {}, jump), make("td", {}, String(stretch.members.length)));
      if (model.levels) row.append(make("td", { class: "class" }, ...classText(stretch.first + 1, state.word, true)));
      row.append(make("td", { class: "change" }, changeOf(stretch, i === 0)));
      body.append(row);
    });
    const heads = [model.symbol, "size", ...(model.levels ? ["class, odds ratio"] : []), "who comes, who goes"];
    const head = make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text))));
    return make("table", { "aria-label": "Its cluster along the path" }, head, body);
  };

  const show = () => {
    if (state.word === null) {
      box.replaceChildren(make("p", { class: "hint" }, "Search a covariate, or choose one in the tree, to see its cluster along the path."));
      return;
    }
    const r = model.rows[state.position];
    const row = model.clusterings[r];
    const members = [];
    for (let j = 0; j < model.d; j += 1) if (row[j] === row[state.word]) members.push(j);
    const line = make("p", { id: "now" }, `At ${nuText(state.position)}: `);
    line.append(members.length === 1 ? "by itself" : `one of ${members.length}`);
    if (model.levels) line.append(", ", ...classText(r + 1, state.word));
    const parts = [make("h3", { id: "chosen-word" }, model.names[state.word]), line];
    if (model.levels) parts.push(make("p", { class: "hint" }, "In the model of single covariates: ", ...classText(0, state.word)));
    const reveal = make("button", { type: "button", id: "reveal" }, "Show in the tree");
    reveal.addEventListener("click", () => document.dispatchEvent(new CustomEvent("reveal")));
    parts.push(make("p", {}, reveal), chips(members), chart.element, make("div", { class: "scroll" }, table()));
    box.replaceChildren(...parts);
    chart.move();
    const current = box.querySelector("tr.now");
    const scroll = box.querySelector(".scroll");
    if (current) scroll.scrollTop = current.offsetTop - scroll.clientHeight / 2;
  };

  const follow = () => {
    if (state.word === null) return;
    stretches = stretchesOf(state.word);
    const values = new Array(model.nus.length);
    const colours = new Array(model.nus.length);
    for (const stretch of stretches) {
      for (let i = stretch.from; i <= stretch.to; i += 1) values[i] = stretch.members.length;
    }
    model.rows.forEach((r, i) => {
      colours[i] = model.levels ? model.classes[model.levels[r + 1].classes[state.word]].colour : "var(--accent)";
    });
    chart = makeChart({ title: "size", values, logarithmic: true, format: String, colours });
  };
  listeners.push((changed) => {
    if (changed.has("word")) follow();
    if (changed.has("word") || changed.has("position")) show();
  });
  follow();
  show();
}
