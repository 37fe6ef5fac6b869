// Everything together.

document.getElementById("title").textContent = model.title;
const remarks = document.getElementById("remarks");
remarks.textContent = model.remarks;
remarks.hidden = !model.remarks;

const theme = document.getElementById("theme");
const root = document.documentElement;
const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches);
const showTheme = () => theme.setAttribute("aria-pressed", String(isDark()));
theme.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  showTheme();
});
showTheme();

const copy = document.getElementById("link");
copy.addEventListener("click", async () => {
  writeLink();
  try {
    await navigator.clipboard.writeText(window.location.href);
    copy.textContent = "Copied";
  } catch {
    // Some browsers allow no clipboard to files; the address bar has the link.
    copy.textContent = "Copy the address";
  }
  setTimeout(() => {
    copy.textContent = "Copy link to this view";
  }, 2000);
});

Object.assign(state, readLink());
setUpPath();
setUpSearch();
setUpWord();
setUpClusters();
if (state.word !== null) document.getElementById("search").value = model.names[state.word];
window.addEventListener("hashchange", () => update(readLink()));
root.dataset.ready = "yes";
