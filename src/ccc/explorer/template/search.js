// A combobox over the names of the covariates.

const MOST_MATCHES = 30;

// Names that begin with the text before names that contain it.
function matchesOf(text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const starts = [];
  const contains = [];
  const folded = model.folded ?? (model.folded = model.names.map((name) => name.toLowerCase()));
  for (let j = 0; j < model.d; j += 1) {
    const place = folded[j].indexOf(wanted);
    if (place === 0) starts.push(j);
    else if (place > 0) contains.push(j);
  }
  starts.sort((a, b) => folded[a].length - folded[b].length || a - b);
  return [...starts, ...contains];
}

function setUpSearch() {
  const input = document.getElementById("search");
  const list = document.getElementById("matches");
  let found = [];
  let active = -1;

  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    active = -1;
  };
  const choose = (j) => {
    input.value = model.names[j];
    close();
    update({ word: j });
  };
  const activate = (index) => {
    active = index;
    [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === active)));
    const item = list.children[active];
    if (item) {
      input.setAttribute("aria-activedescendant", item.id);
      item.scrollIntoView({ block: "nearest" });
    }
  };
  const open = () => {
    const all = matchesOf(input.value);
    found = all.slice(0, MOST_MATCHES);
    list.replaceChildren(
      ...found.map((j, i) => {
        const item = make("li", { role: "option", id: `match-${i}`, "aria-selected": "false" }, make("span", {}, model.names[j]));
        if (model.levels) item.append(badge(model.levels[0].classes[j]));
        // Before the field loses its focus.
        item.addEventListener("mousedown", (event) => {
          event.preventDefault();
          choose(j);
        });
        return item;
      }),
    );
    if (all.length > found.length) {
      list.append(make("li", { class: "none", role: "presentation" }, `and ${all.length - found.length} more`));
    }
    if (!all.length) list.append(make("li", { class: "none", role: "presentation" }, "nothing found"));
    list.hidden = !input.value.trim();
    input.setAttribute("aria-expanded", String(!list.hidden));
    activate(found.length ? 0 : -1);
  };

  input.addEventListener("input", open);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) open();
      else if (found.length) {
        const step = event.key === "ArrowDown" ? 1 : -1;
        activate((active + step + found.length) % found.length);
      }
    } else if (event.key === "Enter" && !list.hidden && active >= 0) {
      choose(found[active]);
    } else if (event.key === "Escape") {
      close();
    }
  });
  document.addEventListener("keydown", (event) => {
    const typing = /^(input|select|textarea)$/i.test(event.target.tagName) && event.target.type !== "range" && event.target.type !== "checkbox";
    if (event.key === "/" && !typing) {
      event.preventDefault();
      input.focus();
      input.select();
    }
  });
  listeners.push((changed) => {
    if (changed.has("word") && state.word !== null) input.value = model.names[state.word];
  });
}
