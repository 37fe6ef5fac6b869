// What is shown, and the link to it: #at=0.05&word=apple&open=c0,17:5

const defaults = {
  position: model.selected ?? Math.floor(model.nus.length / 2),
  word: null,
  open: new Set(),
  order: model.classes ? "odds" : "size",
  several: false,
};
const state = { ...defaults };
const listeners = [];

function update(changes) {
  const before = { ...state };
  Object.assign(state, changes);
  const changed = new Set(Object.keys(changes).filter((key) => before[key] !== state[key]));
  for (const listener of listeners) listener(changed);
  writeLink();
}

function safely(encode, text) {
  try {
    return encode(text);
  } catch {
    return null;
  }
}

function link() {
  const parts = [`at=${model.nus[state.position]}`];
  if (state.word !== null) {
    const name = safely(encodeURIComponent, model.names[state.word]);
    const first = model.names.indexOf(model.names[state.word]) === state.word;
    parts.push(name && first ? `word=${name}` : `covariate=${state.word + 1}`);
  }
  if (state.open.size) parts.push(`open=${[...state.open].join(",")}`);
  if (state.order !== defaults.order) parts.push(`order=${state.order}`);
  if (state.several) parts.push("several=1");
  return `#${parts.join("&")}`;
}

function writeLink() {
  const hash = link();
  if (hash === window.location.hash) return;
  try {
    window.history.replaceState(null, "", hash);
  } catch {
    window.location.replace(hash);
  }
}

function nearestPosition(value) {
  let best = 0;
  model.nus.forEach((nu, i) => {
    if (Math.abs(nu - value) < Math.abs(model.nus[best] - value)) best = i;
  });
  return best;
}

function readLink() {
  const given = new Map();
  for (const part of window.location.hash.slice(1).split("&")) {
    const at = part.indexOf("=");
    if (at > 0) given.set(part.slice(0, at), safely(decodeURIComponent, part.slice(at + 1)) ?? "");
  }
  const changes = { ...defaults };
  const value = Number(given.get("at"));
  if (given.get("at") && Number.isFinite(value)) changes.position = nearestPosition(value);
  let word = model.names.indexOf(given.get("word"));
  if (given.has("covariate")) word = Number(given.get("covariate")) - 1;
  if (Number.isInteger(word) && word >= 0 && word < model.d) changes.word = word;
  if (given.get("open")) changes.open = new Set(given.get("open").split(","));
  if (["odds", "size"].includes(given.get("order"))) changes.order = given.get("order");
  if (given.has("several")) changes.several = given.get("several") === "1";
  return changes;
}
