// A line, or bars in colours, over the positions of the path.

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 64;
const PADDING = 8; // of the drawing, so that it stands above the way of the slider's knob

function shape(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// A function from value to height, and the values at bottom and top.
function scaleOf(values, logarithmic) {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  const top = known[known.length - 1] ?? 1;
  // The worst fifth may be far below all that matters.
  const bottom = (logarithmic ? known[0] : known[Math.floor(known.length / 5)]) ?? 0;
  const map = logarithmic ? (value) => Math.log(value) : (value) => value;
  const span = map(top) - map(bottom) || 1;
  const share = (value) => Math.max(0, Math.min(1, (map(value) - map(bottom)) / span));
  return { bottom, top, cut: bottom > known[0], height: (value) => HEIGHT - 5 - share(value) * (HEIGHT - 10) };
}

function makeChart({ title, values, logarithmic = false, format, colours = null }) {
  const count = values.length;
  const span = Math.max(1, count - 1);
  const scale = scaleOf(values, logarithmic);
  const svg = shape("svg", {
    viewBox: `0 0 ${span} ${HEIGHT}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": `${title}${logarithmic ? ", on a logarithmic scale," : ""} along the path, from ${format(scale.bottom)} to ${format(scale.top)}`,
  });
  if (colours) {
    // Stretches of one colour and height as one bar, half a position beyond their ends.
    for (let i = 0; i < count; ) {
      let j = i + 1;
      while (j < count && values[j] === values[i] && colours[j] === colours[i]) j += 1;
      const y = scale.height(values[i]);
      const bar = shape("rect", { x: i - 0.5, y, width: j - i, height: HEIGHT - y });
      bar.style.fill = colours[i];
      svg.append(bar);
      i = j;
    }
  } else {
    let path = "";
    values.forEach((value, i) => {
      if (value === null) return;
      path += `${path && values[i - 1] !== null ? "L" : "M"}${i} ${scale.height(value).toFixed(2)}`;
    });
    svg.append(shape("path", { d: path, class: "line" }));
  }
  if (model.selected !== null) {
    const at = { x1: model.selected, x2: model.selected };
    svg.append(shape("line", { ...at, y1: 0, y2: HEIGHT, class: "chosen" }));
  }
  const cursor = shape("line", { y1: 0, y2: HEIGHT, class: "cursor" });
  svg.append(cursor);
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const place = (event.clientX - box.left - PADDING) / (box.width - 2 * PADDING);
    const position = Math.round(place * span);
    update({ position: Math.max(0, Math.min(count - 1, position)) });
  });
  const axis = make(
    "div",
    { class: "axis", "aria-hidden": "true" },
    make("span", {}, format(scale.top)),
    make("b", {}, logarithmic ? `${title} (log)` : title),
    make("span", {}, `${scale.cut ? "≤ " : ""}${format(scale.bottom)}`),
  );
  const move = () => {
    cursor.setAttribute("x1", state.position);
    cursor.setAttribute("x2", state.position);
  };
  move();
  return { element: make("div", { class: "chart" }, axis, svg), move };
}
