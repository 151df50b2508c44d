// Tables that are sorted, filtered and fitted to the window by their columns.
const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

// Numbers sort by their data-order; what is not known comes last in both directions.
const known = (compare) => (a, b) => {
  if (a === "" || b === "") return (a === "") - (b === "");
  return compare(Number(a), Number(b));
};
DataTable.type("estimate", {
  order: { asc: known((a, b) => a - b), desc: known((a, b) => b - a) },
});

const isDrawn = (heading) => heading.classList.contains("dots");

// Which columns are shown: as many as have room, from the left, until somebody chooses.
const columnsOf = (data, headings, names, frame) => {
  const chosen = new Map();
  const boxes = headings.map((heading, column) => {
    const box = make("input", { type: "checkbox", checked: true });
    box.addEventListener("change", () => {
      chosen.set(column, box.checked);
      data.column(column).visible(box.checked);
    });
    return box;
  });
  const optional = headings.map((_, column) => column).slice(1);
  const fit = () => {
    const room = frame.clientWidth;
    if (!room || room === fit.room) return;
    fit.room = room;
    const hidden = data.columns(":hidden").indexes().toArray();
    if (hidden.length) data.columns(hidden).visible(true, false);
    // What each column takes where all of them are there: the numbers do not break.
    frame.classList.add("measured");
    const widths = headings.map((heading) => heading.offsetWidth);
    frame.classList.remove("measured");
    let left = room;
    let full = false;
    const without = headings.map((_, column) => column).filter((column) => {
      full ||= widths[column] > left;
      const shown = chosen.get(column) ?? !full;
      if (shown) left -= widths[column];
      boxes[column].checked = shown;
      return !shown;
    });
    if (without.length) data.columns(without).visible(false, false);
  };
  new ResizeObserver(fit).observe(frame);
  const list = make("div", {}, ...optional.map((column) =>
    make("label", {}, boxes[column], isDrawn(headings[column]) ? "intervals, drawn" : names[column])));
  return make("details", { className: "columns" }, make("summary", {}, "Columns"), list);
};

const enhance = (table) => {
  const headings = [...table.tHead.rows[0].cells];
  const frame = table.closest(".scroll");
  const names = headings.map((heading) => heading.textContent);
  const first = headings.findIndex((heading) => heading.hasAttribute("aria-sort"));
  headings[first]?.removeAttribute("aria-sort");
  const data = new DataTable(table, {
    autoWidth: false,
    paging: false,
    layout: { topStart: null, topEnd: null, bottomStart: null, bottomEnd: null },
    language: { zeroRecords: "Nothing fits. Choose fewer filters, or show all." },
    order: first < 0 || table.querySelector(".own") ? [] : [[first, "desc"]],
    columnDefs: [
      { targets: "dots", orderable: false, searchable: false },
      { targets: "word", type: "string", orderSequence: ["asc", "desc"], searchable: true },
      { targets: "_all", type: "estimate", orderSequence: ["desc", "asc"], searchable: false },
    ],
  });
  const count = make("output");
  const tools = make("form", { className: "tools" });
  tools.setAttribute("aria-label", `Filters of: ${frame.ariaLabel}`);
  const search = make("input", { type: "search", placeholder: "name, word …" });
  tools.append(make("label", {}, "Search ", search));
  search.addEventListener("input", () => data.search(search.value).draw());
  headings.forEach((heading, column) => {
    const { filter, several } = heading.dataset;
    if (!filter) return;
    const texts = data.column(column).nodes().toArray().map((cell) => cell.textContent.trim());
    // "not settled: about 2,100 more games needed" is chosen by what stands before the colon.
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
  tools.append(clear, columnsOf(data, headings, names, frame), count);
  tools.addEventListener("submit", (event) => event.preventDefault());
  const unsorted = table.querySelector(".own") ? ", yours first" : "";
  const tell = () => {
    const shown = data.rows({ search: "applied" }).count();
    const all = data.rows().count();
    const [[column, direction] = []] = data.order();
    const by = column === undefined ? unsorted : `, by ${names[column]} ${direction === "asc" ? "↑" : "↓"}`;
    count.textContent = `${shown === all ? `${all}` : `${shown} of ${all}`} rows${by}`;
    frame.classList.toggle("chosen", shown < all);
  };
  data.on("draw", tell);
  tell();
  frame.before(tools);
};
// A table is made ready when it is first in sight.
const waiting = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (!target.clientWidth) continue;
    waiting.unobserve(target);
    enhance(target.querySelector("table"));
  }
});
for (const table of document.querySelectorAll("table.sortable")) waiting.observe(table.closest(".scroll"));
