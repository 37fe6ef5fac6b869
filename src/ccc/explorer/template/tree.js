// Clusters at a position of the path, and what they came from.
//
// Members of a block are together on level r iff they share a cluster in clustering r and in every
// coarser one up to where the block was found. So a block opens at the first finer clustering that
// splits it, and each part goes on from there: the rule of ccc/hierarchy.py.

function makeNode(members, found) {
  return { members, found, leader: members[0], size: members.length };
}

function nodeKey(node) {
  return `${node.leader}:${node.size}`;
}

// The clusters of clustering r, each with its members in ascending order.
function clustersOf(r) {
  const groups = new Map();
  model.clusterings[r].forEach((leader, j) => {
    if (leader === j) groups.set(j, []);
    groups.get(leader).push(j);
  });
  return [...groups.values()].map((members) => ({ ...makeNode(members, r), root: true }));
}

// The finer clustering nearest to where the block was found that splits it; -1 if none does.
function splitOf(node) {
  if (node.split === undefined) {
    let r = model.nested ? node.found - 1 : -1;
    const together = (row) => node.members.every((j) => row[j] === row[node.leader]);
    while (r >= 0 && together(model.clusterings[r])) r -= 1;
    node.split = r;
  }
  return node.split;
}

function childrenOf(node) {
  if (node.size === 1) return [];
  if (!node.children) {
    const r = splitOf(node);
    const groups = new Map();
    for (const j of node.members) {
      const name = r < 0 ? j : model.clusterings[r][j];
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(j);
    }
    node.children = [...groups.values()].map((members) => makeNode(members, r));
  }
  return node.children;
}

// Class and odds of a node: a root has those of its clustering, a covariate below one those of the
// model of single covariates, a block in between those of the finest clustering it lasts from.
function oddsOf(node) {
  if (!model.levels) return null;
  let level = splitOf(node) + 2;
  if (node.root) level = node.found + 1;
  else if (node.size === 1) level = 0;
  const { codes, classes } = model.levels[level];
  return { code: codes[node.leader], leading: classes[node.leader] };
}

// The strongest first; without odds as they come.
function byStrength(members) {
  if (!model.levels) return members;
  const { codes } = model.levels[0];
  return [...members].sort((a, b) => codes[b] - codes[a] || a - b);
}
