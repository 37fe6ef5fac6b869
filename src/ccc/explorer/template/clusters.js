// The tree: classes, their clusters at this position, what these came from, down to covariates.

const PAGE = 100;
const PREVIEW = 12;

function setUpClusters() {
  const tree = document.getElementById("tree");
  const heading = document.getElementById("clusters-title");
  const order = document.getElementById("order");
  const several = document.getElementById("several");
  const facts = new WeakMap();

  const inOrder = (nodes) => {
    const ranked = nodes.map((node) => ({ node, code: oddsOf(node)?.code ?? 0 }));
    const odds = (a, b) => b.code - a.code;
    const size = (a, b) => b.node.size - a.node.size;
    const [first, second] = state.order === "size" ? [size, odds] : [odds, size];
    ranked.sort((a, b) => first(a, b) || second(a, b) || a.node.leader - b.node.leader);
    return ranked.map(({ node }) => node);
  };

  // An item is described once and made when it is needed.
  const describe = (node) => ({
    key: nodeKey(node),
    node,
    parts: () => (node.size === 1 ? [] : inOrder(childrenOf(node)).map(describe)),
    isLeaf: node.size === 1,
  });
  const classItem = (code, nodes) => ({
    key: `c${code}`,
    code,
    nodes,
    parts: () => inOrder(nodes).map(describe),
    isLeaf: false,
  });

  const rowOf = (item) => {
    const row = make("div", { class: "row" }, make("span", { class: "twist", "aria-hidden": "true" }));
    if (item.nodes) {
      const members = item.nodes.reduce((sum, node) => sum + node.size, 0);
      row.append(badge(item.code), make("span", { class: "name" }, model.classes[item.code].name));
      row.append(make("span", { class: "ratio" }, `${plural(item.nodes.length, "cluster", "clusters")}, ${plural(members, "member", "members")}`));
      return row;
    }
    const { node } = item;
    const odds = oddsOf(node);
    if (odds) row.append(badge(odds.leading));
    if (item.isLeaf) row.append(make("span", { class: "name" }, model.names[node.leader]));
    else row.append(make("span", { class: "size", title: "members" }, String(node.size)));
    if (odds) {
      const name = model.classes[odds.leading].name;
      row.append(make("span", { class: "ratio", title: `odds ratio for ${name}` }, oddsText(odds.code)));
    }
    if (!item.isLeaf) {
      const names = byStrength(node.members).slice(0, PREVIEW).map((j) => model.names[j]);
      row.append(make("span", { class: "preview" }, names.join(" ")));
    }
    return row;
  };

  const labelOf = (item) => {
    if (item.nodes) return `${model.classes[item.code].name}, ${plural(item.nodes.length, "cluster", "clusters")}`;
    const odds = oddsOf(item.node);
    const ratio = odds ? `, ${model.classes[odds.leading].name}, odds ratio ${oddsText(odds.code)}` : "";
    const names = byStrength(item.node.members).slice(0, 3).map((j) => model.names[j]).join(" ");
    return item.isLeaf ? `${names}${ratio}` : `cluster of ${item.node.size}: ${names} …${ratio}`;
  };

  const makeItem = (item, level) => {
    const element = make("li", { role: "treeitem", tabindex: "-1", "aria-level": level, "data-key": item.key });
    if (item.nodes) element.classList.add("class");
    if (item.isLeaf) element.classList.add("leaf");
    if (item.node && item.node.size === 1 && item.node.leader === state.word) element.classList.add("here");
    element.setAttribute("aria-label", labelOf(item));
    element.append(rowOf(item));
    facts.set(element, item);
    if (!item.isLeaf) {
      element.setAttribute("aria-expanded", "false");
      if (state.open.has(item.key)) expand(element);
    }
    return element;
  };

  // Children page by page: a class may have thousands of clusters.
  const addPage = (group, items, from, level) => {
    items.slice(from, from + PAGE).forEach((item, i) => {
      const element = makeItem(item, level);
      element.setAttribute("aria-setsize", items.length);
      element.setAttribute("aria-posinset", from + i + 1);
      group.append(element);
    });
    const rest = items.length - from - PAGE;
    if (rest > 0) {
      const text = `${rest} more`;
      const more = make("li", { role: "treeitem", tabindex: "-1", class: "more leaf", "aria-level": level, "aria-label": `show ${text}` });
      more.append(make("div", { class: "row" }, make("span", { class: "twist", "aria-hidden": "true" }), text));
      facts.set(more, {
        isLeaf: true,
        more: () => {
          const focused = document.activeElement === more;
          more.remove();
          addPage(group, items, from + PAGE, level);
          if (focused) focus(group.children[from + PAGE]);
        },
      });
      group.append(more);
    }
  };

  const expand = (element) => {
    if (element.getAttribute("aria-expanded") === "true") return;
    const item = facts.get(element);
    const group = make("ul", { role: "group" });
    addPage(group, item.parts(), 0, Number(element.getAttribute("aria-level")) + 1);
    element.append(group);
    element.setAttribute("aria-expanded", "true");
  };
  const collapse = (element) => {
    element.querySelector("ul")?.remove();
    element.setAttribute("aria-expanded", "false");
  };
  const toggle = (element) => {
    const item = facts.get(element);
    const open = new Set(state.open);
    if (element.getAttribute("aria-expanded") === "true") {
      open.delete(item.key);
      collapse(element);
    } else {
      open.add(item.key);
      expand(element);
    }
    state.open = open;
    writeLink();
  };
  const act = (element) => {
    const item = facts.get(element);
    if (item.more) item.more();
    else if (item.isLeaf) update({ word: item.node.leader });
    else toggle(element);
  };

  const items = () => [...tree.querySelectorAll("[role='treeitem']")];
  const focus = (element) => {
    if (!element) return;
    for (const item of tree.querySelectorAll("[tabindex='0']")) item.setAttribute("tabindex", "-1");
    element.setAttribute("tabindex", "0");
    element.focus();
  };
  const parentOf = (element) => element.parentElement.closest("[role='treeitem']");

  tree.addEventListener("click", (event) => {
    const element = event.target.closest("[role='treeitem']");
    if (!element) return;
    focus(element);
    act(element);
  });
  tree.addEventListener("keydown", (event) => {
    const element = event.target.closest("[role='treeitem']");
    if (!element || event.ctrlKey || event.altKey || event.metaKey) return;
    const all = items();
    const place = all.indexOf(element);
    const expanded = element.getAttribute("aria-expanded");
    const keys = {
      ArrowDown: () => focus(all[place + 1]),
      ArrowUp: () => focus(all[place - 1]),
      Home: () => focus(all[0]),
      End: () => focus(all[all.length - 1]),
      Enter: () => act(element),
      " ": () => act(element),
      ArrowRight: () => {
        if (expanded === "false") toggle(element);
        else if (expanded === "true") focus(all[place + 1]);
      },
      ArrowLeft: () => {
        if (expanded === "true") toggle(element);
        else focus(parentOf(element));
      },
    };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });

  const show = () => {
    const r = model.rows[state.position];
    const all = clustersOf(r);
    const nodes = state.several ? all.filter((node) => node.size > 1) : all;
    heading.textContent = `${plural(all.length, "cluster", "clusters")} at ${nuText(state.position)}`;
    let top;
    if (model.classes) {
      const groups = model.classes.map(() => []);
      for (const node of nodes) groups[oddsOf(node).leading].push(node);
      top = groups.map((group, code) => classItem(code, group)).filter((item) => item.nodes.length);
    } else {
      top = inOrder(nodes).map(describe);
    }
    tree.replaceChildren();
    addPage(tree, top, 0, 1);
    if (!top.length) tree.append(make("li", { class: "hint", role: "none" }, "no cluster of several members"));
    tree.querySelector("[role='treeitem']")?.setAttribute("tabindex", "0");
    order.value = state.order;
    several.checked = state.several;
  };

  // Open the way down to the chosen covariate, from its class on.
  const reveal = () => {
    const row = model.clusterings[model.rows[state.position]];
    const root = clustersOf(model.rows[state.position]).find((node) => node.leader === row[state.word]);
    if (state.several && root.size === 1) update({ several: false });
    const keys = model.classes ? [`c${oddsOf(root).leading}`] : [];
    for (let node = root; node; node = childrenOf(node).find(({ members }) => members.includes(state.word))) {
      keys.push(nodeKey(node));
    }
    update({ open: new Set([...state.open, ...keys.slice(0, -1)]) });
    let group = tree;
    let element = null;
    for (const key of keys) {
      const find = () => [...group.children].find((item) => item.dataset.key === key);
      for (let more = group.lastElementChild; !find() && facts.get(more)?.more; more = group.lastElementChild) {
        facts.get(more).more();
      }
      element = find();
      group = element.querySelector("ul");
    }
    focus(element);
    element.scrollIntoView({ block: "center" });
  };
  document.addEventListener("reveal", reveal);

  order.closest("label").hidden = !model.classes;
  order.addEventListener("change", () => update({ order: order.value }));
  several.addEventListener("change", () => update({ several: several.checked }));
  document.getElementById("collapse").addEventListener("click", () => update({ open: new Set() }));
  document.getElementById("rule").textContent = model.nested
    ? `members are shown together from the smallest ${model.symbol} on from which they stay together up to here.`
    : "the clusterings along this path have nothing to do with each other, so these are the single covariates.";
  listeners.push((changed) => {
    if (["position", "order", "several", "open"].some((key) => changed.has(key))) show();
    if (changed.has("word")) {
      for (const element of items()) {
        const { node } = facts.get(element);
        element.classList.toggle("here", Boolean(node && node.size === 1 && node.leader === state.word));
      }
    }
  });
  show();
}
