// The data of the page: see ccc/explorer/encode.py for how they are packed.

class Numbers {
  constructor(base64) {
    const text = atob(base64);
    this.bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i += 1) this.bytes[i] = text.charCodeAt(i);
    this.at = 0;
  }

  next() {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.bytes[this.at];
      this.at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  }
}

function unpackLabels(base64, d, count) {
  const numbers = new Numbers(base64);
  const rows = [];
  let row = Int32Array.from({ length: d }, (_, j) => j);
  for (let k = 0; k < count; k += 1) {
    row = row.slice();
    let j = 0;
    for (let left = numbers.next(); left > 0; left -= 1) {
      j += numbers.next();
      row[j] = numbers.next();
    }
    rows.push(row);
  }
  return rows;
}

// Level 0 is that of single covariates, level r + 1 that of clustering r.
function unpackOdds(base64, rows, d) {
  const numbers = new Numbers(base64);
  const levels = [];
  let codes = new Int32Array(d);
  let classes = new Int32Array(d);
  for (const row of [Int32Array.from({ length: d }, (_, j) => j), ...rows]) {
    const level = { codes: new Int32Array(d), classes: new Int32Array(d) };
    for (let j = 0; j < d; j += 1) {
      const leader = row[j];
      if (leader === j) {
        const token = numbers.next();
        const zigzag = Math.floor(token / 2);
        const step = zigzag % 2 ? -(zigzag + 1) / 2 : zigzag / 2;
        level.codes[j] = codes[j] + step;
        level.classes[j] = token % 2 ? numbers.next() : classes[j];
      } else {
        level.codes[j] = level.codes[leader];
        level.classes[j] = level.classes[leader];
      }
    }
    levels.push(level);
    ({ codes, classes } = level);
  }
  return levels;
}

const raw = JSON.parse(document.getElementById("data").textContent);
const rows = unpackLabels(raw.labels, raw.names.length, raw.rows[raw.rows.length - 1] + 1);
const model = {
  ...raw,
  d: raw.names.length,
  clusterings: rows,
  levels: raw.classes ? unpackOdds(raw.odds, rows, raw.names.length) : null,
  counts: rows.map((row) => row.reduce((sum, leader, j) => sum + (leader === j), 0)),
};

// What is shown: three digits, as in the figures.
function oddsText(code) {
  const exponent = Math.floor(code / 900);
  const digits = ((code % 900) + 100) / 100;
  if (exponent > 2) return `${digits.toFixed(2)}e${exponent}`;
  return (digits * 10 ** exponent).toFixed(2 - exponent);
}

function plural(count, one, many) {
  return `${count} ${count === 1 ? one : many}`;
}

// Four digits, as short as they go.
function numberText(value) {
  const plain = value === 0 || (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6);
  return plain ? String(Number(value.toPrecision(4))) : value.toExponential(2).replace("e+", "e");
}

function nuText(position) {
  return `${model.symbol} = ${numberText(model.nus[position])}`;
}

// An element with text and attributes; text never becomes markup.
function make(tag, attributes = {}, ...content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content.filter((part) => part !== null));
  return element;
}

function badge(code) {
  if (!model.classes) return null;
  const { name, colour, dark } = model.classes[code];
  const mark = make("span", { class: dark ? "badge dark" : "badge", title: name });
  mark.style.setProperty("--class", colour);
  mark.textContent = model.numbered ? code + 1 : "";
  if (!model.numbered) mark.setAttribute("aria-hidden", "true");
  return mark;
}
