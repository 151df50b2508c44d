// Without scripts the page is complete, one section after another.  With them its tables can be
// sorted and filtered, its sections are tabs, and each card has a view of its own.
const root = document.documentElement;
root.classList.add("scripted");

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

// ---------------------------------------------------------------- tables

// Numbers sort by their data-order; what is not known comes last in both directions.
const known = (compare) => (a, b) => {
  if (a === "" || b === "") return (a === "") - (b === "");
  return compare(Number(a), Number(b));
};
DataTable.type("estimate", {
  order: { asc: known((a, b) => a - b), desc: known((a, b) => b - a) },
});

const enhance = (table) => {
  const headings = [...table.tHead.rows[0].cells];
  const names = headings.map((heading) => heading.textContent);
  const first = headings.findIndex((heading) => heading.hasAttribute("aria-sort"));
  headings[first]?.removeAttribute("aria-sort");
  const data = new DataTable(table, {
    autoWidth: false,
    paging: false,
    layout: { topStart: null, topEnd: null, bottomStart: null, bottomEnd: null },
    language: { zeroRecords: "Nothing fits. Choose fewer filters, or show all." },
    order: first < 0 ? [] : [[first, "desc"]],
    columnDefs: [
      { targets: "word", type: "string", orderSequence: ["asc", "desc"], searchable: true },
      { targets: "_all", type: "estimate", orderSequence: ["desc", "asc"], searchable: false },
    ],
  });
  const count = make("output");
  const tools = make("form", { className: "tools" });
  tools.setAttribute("aria-label", `Filters of: ${table.closest(".scroll").ariaLabel}`);
  const search = make("input", { type: "search", placeholder: "name, word …" });
  tools.append(make("label", {}, "Search ", search));
  search.addEventListener("input", () => data.search(search.value).draw());
  headings.forEach((heading, column) => {
    const { filter, several } = heading.dataset;
    if (!filter) return;
    const texts = data.column(column).nodes().toArray().map((cell) => cell.textContent.trim());
    // "not enough games: about 2,100 more needed" is chosen by what stands before the colon.
    const words = (text) => (several === undefined ? [text.split(": ")[0]] : text.split(", "));
    const choices = [...new Set(texts.flatMap(words))].filter(Boolean).sort();
    if (choices.length < 2) return;
    const select = make("select", {}, make("option", { value: "" }, "all"));
    select.append(...choices.map((choice) => make("option", { value: choice }, choice)));
    select.addEventListener("change", () => {
      const fits = (_, __, row) => words(texts[row]).includes(select.value);
      data.column(column).search.fixed("chosen", select.value ? fits : null).draw();
    });
    tools.append(make("label", {}, `${filter} `, select));
  });
  const clear = make("button", { type: "button" }, "Show all");
  clear.addEventListener("click", () => {
    for (const control of tools.querySelectorAll("input, select")) {
      control.value = "";
      control.dispatchEvent(new Event(control === search ? "input" : "change"));
    }
  });
  tools.append(clear, count);
  tools.addEventListener("submit", (event) => event.preventDefault());
  const tell = () => {
    const shown = data.rows({ search: "applied" }).count();
    const all = data.rows().count();
    const [[column, direction] = []] = data.order();
    const by = column === undefined ? "" : `, by ${names[column]} ${direction === "asc" ? "↑" : "↓"}`;
    count.textContent = `${shown === all ? `${all}` : `${shown} of ${all}`} rows${by}`;
    table.closest(".scroll").classList.toggle("chosen", shown < all);
  };
  data.on("draw", tell);
  tell();
  table.closest(".scroll").before(tools);
};
for (const table of document.querySelectorAll("table.sortable")) enhance(table);

// ---------------------------------------------------------------- pages of cards

// What a heading means is in the page once.
const meant = new Map();
for (const heading of document.querySelectorAll(".lines tbody th")) {
  const name = heading.textContent;
  if (!meant.has(name)) meant.set(name, heading.title);
  else if (!heading.hasAttribute("title")) heading.title = meant.get(name);
}

// ---------------------------------------------------------------- light and dark

const theme = make("button", { type: "button", className: "theme" });
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
const panels = [...document.querySelectorAll(".panel")];
const cards = [...document.querySelectorAll("article.card")];
const links = [...(contents?.querySelectorAll("a[data-tab]") ?? [])];
const panelOf = (link) => document.getElementById(link.hash.slice(1))?.closest(".panel");
const places = new Map(); // how far each view had been scrolled when it was left
let now = null;

// Where the tabs lie before they stick to the top of the window.
const tabsTop = () => {
  const above = document.getElementById("findings");
  return above.offsetTop + above.offsetHeight + 1;
};

const show = () => {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = (id && document.getElementById(id)) || null;
  const panel = target?.closest(".panel") ?? panels[0];
  const card = panel.contains(cards[0]) ? (target.closest("article.card") ?? cards[0]) : null;
  const view = card ?? panel;
  if (now) places.set(now, scrollY);
  for (const one of panels) one.hidden = one !== panel;
  for (const one of cards) one.hidden = one !== card;
  document.body.classList.toggle("one-card", card !== null);
  const tab = links.find((link) => panelOf(link) === panel) ?? links[0];
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
  } else if (target && target !== panel.querySelector("section")) {
    target.scrollIntoView();
  } else if (from) {
    scrollTo(0, Math.min(scrollY, tabsTop()));
  } else if (target) {
    scrollTo(0, tabsTop());
  }
};

if (contents && panels.length) {
  history.scrollRestoration = "manual";
  contents.setAttribute("role", "tablist");
  for (const link of links) {
    link.setAttribute("role", "tab");
    const panel = panelOf(link);
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
