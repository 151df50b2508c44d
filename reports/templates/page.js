// Without scripts a page is complete, one section after another.  With them its sections are tabs,
// each card has a view of its own, and the page is light or dark as one likes.
const root = document.documentElement;
root.classList.add("scripted");

// ---------------------------------------------------------------- pages of cards

// What a heading means is in the page once.
const meant = new Map();
for (const heading of document.querySelectorAll(".lines tbody th")) {
  const name = heading.textContent;
  if (!meant.has(name)) meant.set(name, heading.title);
  else if (!heading.hasAttribute("title")) heading.title = meant.get(name);
}

// ---------------------------------------------------------------- light and dark

const theme = Object.assign(document.createElement("button"), { type: "button", className: "theme" });
const dark = () =>
  (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const name = () => {
  theme.textContent = dark() ? "Light" : "Dark";
  theme.ariaLabel = `Show the page ${dark() ? "light" : "dark"}`;
};
theme.addEventListener("click", () => {
  root.dataset.theme = dark() ? "light" : "dark";
  name();
});
name();
document.querySelector("header").prepend(theme);

// ---------------------------------------------------------------- tabs and cards

const contents = document.getElementById("contents");
const cards = [...document.querySelectorAll("article.card")];
// A tab is a section of the page, or a panel of several.
const panelOf = (place) => place?.closest(".panel, main > section");
const targetOf = (link) => panelOf(document.getElementById(link.hash.slice(1)));
const links = [...contents.querySelectorAll("a:not(.without-scripts)")];
// What no link leads to stays in sight below all tabs.
const panels = [...contents.querySelectorAll("a")].map(targetOf);
const places = new Map(); // how far each view had been scrolled when it was left
let now = null;

// Where the tabs lie before they stick to the top of the window.
const tabsTop = () => {
  const above = document.querySelector("header");
  return above.offsetTop + above.offsetHeight + 1;
};

const show = () => {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = (id && document.getElementById(id)) || null;
  const panel = panelOf(target) ?? panels[0];
  const card = panel.contains(cards[0]) ? (target.closest("article.card") ?? cards[0]) : null;
  const view = card ?? panel;
  if (now) places.set(now, scrollY);
  for (const one of panels) one.hidden = one !== panel;
  for (const one of cards) one.hidden = one !== card;
  document.body.classList.toggle("one-card", card !== null);
  const tab = links.find((link) => targetOf(link) === panel)
    ?? links.find((link) => link.hash === "#cards") ?? links[0];
  for (const link of links) {
    link.setAttribute("aria-selected", link === tab);
    link.tabIndex = link === tab ? 0 : -1;
  }
  const from = now;
  now = view;
  if (card) {
    scrollTo(0, 0);
    if (from) card.querySelector("h3").focus({ preventScroll: true });
  } else if (from?.matches("article.card")) {
    scrollTo(0, places.get(panel) ?? 0);
    panel.querySelector(`a[href="#${CSS.escape(from.id)}"]`)?.focus({ preventScroll: true });
  } else if (target && target !== panel && target !== panel.querySelector("section")) {
    target.scrollIntoView();
  } else if (from) {
    scrollTo(0, Math.min(scrollY, tabsTop()));
  } else if (target) {
    scrollTo(0, tabsTop());
  }
};

if (links.length > 1) {
  history.scrollRestoration = "manual";
  contents.setAttribute("role", "tablist");
  for (const link of links) {
    link.setAttribute("role", "tab");
    const panel = targetOf(link);
    link.setAttribute("aria-controls", panel.id);
    link.id = `tab-${panel.id}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", link.id);
  }
  contents.addEventListener("keydown", (event) => {
    const at = links.indexOf(document.activeElement);
    const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: links.length - 1 };
    const next = links.at(steps[event.key] % links.length);
    if (!(event.key in steps) || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    location.hash = next.hash;
    next.focus({ preventScroll: true });
  });
  document.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    const busy = event.target.closest("input, select, .scroll, [role=tablist]");
    if (!way || busy || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = now.matches("article.card") && now.querySelector(`a[rel=${way}]`);
    if (link) location.hash = link.hash;
  });
  addEventListener("hashchange", show);
  show();
}
