// The slider over the path, with the number of clusters and the scores at every position.

const FORMATS = {
  evidence: (value) => value.toFixed(1).replace("-", "−"),
  "held-out accuracy": (value) => value.toFixed(4),
};

function setUpPath() {
  const get = (id) => document.getElementById(id);
  const slider = get("position");
  const readout = get("readout");
  const last = model.nus.length - 1;
  slider.max = last;
  slider.setAttribute("aria-label", `Position on the path of ${model.symbol}`);
  get("first").textContent = nuText(0);
  get("last").textContent = nuText(last);
  const counts = model.rows.map((r) => model.counts[r]);
  const charts = [
    makeChart({ title: "clusters", values: counts, logarithmic: true, format: String }),
    ...model.series.map(({ name, values }) =>
      makeChart({ title: name, values, format: FORMATS[name] }),
    ),
  ];
  get("charts").append(...charts.map((chart) => chart.element));

  // The next position with another clustering.
  const other = (direction) => {
    let position = state.position;
    while (position >= 0 && position <= last && model.rows[position] === model.rows[state.position]) {
      position += direction;
    }
    return position >= 0 && position <= last ? position : null;
  };
  const go = (position) => position !== null && update({ position });
  slider.addEventListener("input", () => update({ position: Number(slider.value) }));
  get("finer").addEventListener("click", () => go(other(-1)));
  get("coarser").addEventListener("click", () => go(other(1)));
  get("selected").addEventListener("click", () => go(model.selected));
  get("selected").hidden = model.selected === null;

  const show = () => {
    const { position } = state;
    const facts = [
      [model.symbol, numberText(model.nus[position])],
      ["clusters", counts[position]],
      ...model.series
        .filter(({ values }) => values[position] !== null)
        .map(({ name, values }) => [name, FORMATS[name](values[position])]),
    ];
    slider.value = position;
    slider.setAttribute("aria-valuetext", facts.map(([name, value]) => `${name} ${value}`).join(", "));
    readout.replaceChildren(
      ...facts.map(([name, value]) => make("span", { "data-fact": name }, `${name} `, make("b", {}, String(value)))),
    );
    if (position === model.selected) readout.append(make("span", { class: "picked" }, "selected"));
    get("finer").disabled = other(-1) === null;
    get("coarser").disabled = other(1) === null;
    charts.forEach((chart) => chart.move());
  };
  listeners.push((changed) => changed.has("position") && show());
  show();
}
