// The form: an entry of the text as fields.  It holds nothing of its own: whatever is changed in it is
// written into the text at its place, and what it shows is what the server reads there.
import { $, ask, askAbout, check, editor, form, rewrite } from "./studio.js";

const box = $("form");
let wanted = ""; // what gets the focus once the form is there anew

// ---------------------------------------------------------------- views

const views = [...document.querySelectorAll("#views input")];
const view = () => views.find((one) => one.checked)?.value;
const look = (what) => {
  for (const one of views) one.checked = one.value === what;
  document.querySelector(".bench").dataset.view = what;
  form.entry = what === "text" ? undefined : entryAtCaret();
  form.grid = what === "table";
};

// The entry in which the text's caret is; "" before the first.
const header = /^[ \t]*\[[ \t]*([^[\]\n]+?)[ \t]*\]/gm;
const entryAtCaret = () => [...editor.value.slice(0, editor.selectionEnd).matchAll(header)].at(-1)?.[1] ?? "";

// Puts the text's caret into an entry, and its first line in sight.
const show = (entry) => {
  const found = [...editor.value.matchAll(header)].find((one) => one[1] === entry);
  if (!found) return;
  const end = found.index + found[0].length;
  editor.setSelectionRange(end, end);
  const line = editor.value.slice(0, found.index).split("\n").length - 1;
  editor.scrollTop = line * parseFloat(getComputedStyle(editor).lineHeight);
};

// ---------------------------------------------------------------- what the server says

// What is chosen or typed for the next press of a button.
const chosen = () => ["f:name", "f:kind", "f:add"].map((id) => [id, $(id)?.value]);
const choose = ([id, value]) => {
  const one = $(id);
  if (value && one && (!one.options || [...one.options].some((option) => option.value === value))) one.value = value;
};

const isTyped = (one) => one?.matches("input:not([type=checkbox]), select");

// Takes over what has changed; the field in which somebody types keeps what is typed.
form.settle = (part) => {
  const here = document.activeElement;
  const old = isTyped(here) && !wanted ? here.closest("#form > *") : null;
  const rows = [...part.children];
  const at = old ? rows.findIndex((one) => one.dataset.row === old.dataset.row && one.dataset.entry === old.dataset.entry) : -1;
  const before = chosen();
  const focused = wanted || (box.contains(here) ? here.id : "");
  if (at < 0) box.replaceChildren(...rows);
  else {
    for (const one of [...box.children]) if (one !== old) one.remove();
    old.before(...rows.slice(0, at));
    old.after(...rows.slice(at + 1));
    const fault = rows[at].querySelector(".fault");
    if (fault) old.querySelector(".fault").replaceWith(fault);
    here.toggleAttribute("aria-invalid", false);
    if (rows[at].querySelector("[aria-invalid]")) here.setAttribute("aria-invalid", "true");
  }
  before.forEach(choose);
  form.entry = $("f:entry")?.value ?? "";
  if (focused && document.activeElement?.id !== focused) ($(focused) ?? $("f:entry") ?? $("f:name"))?.focus({ preventScroll: !wanted });
  wanted = "";
};

// ---------------------------------------------------------------- changes

// One after the other, each of the text that the one before has made.
let last = Promise.resolve();
const edit = (said, focus = "") => {
  last = last.then(async () => {
    for (;;) {
      const text = editor.value;
      const made = await ask("edit", { text, entry: form.entry ?? "", ...said });
      if (!made) return;
      if (editor.value !== text) continue;
      rewrite(made.text);
      const stays = ["value", "step"].includes(said.change);
      if (form.entry !== undefined && (!stays || said.entry === form.entry)) form.entry = made.entry;
      if (!stays) show(made.entry);
      wanted = focus || wanted; // what an edit before it wants is not there yet where the server is slow
      await check();
      return made.entry;
    }
  });
  return last;
};

const entryOf = (control) => control.closest("[data-entry]")?.dataset.entry ?? "";
const same = (control) => [...box.querySelectorAll("[data-field]")]
  .filter((one) => one.dataset.field === control.dataset.field && entryOf(one) === entryOf(control));
const valueOf = (control) => {
  const all = same(control);
  if (control.dataset.shape === "words") return all.filter((one) => one.checked).map((one) => one.value);
  return control.dataset.shape === "lines" ? all.map((one) => one.value) : control.value;
};

// Fields in which is typed are written a moment later, or before anything is saved or played.
const waiting = new Map();
let soon = 0;
const write = (control) => edit({ change: "value", entry: entryOf(control), field: control.dataset.field, value: valueOf(control) });
const rename = () => edit({ change: "id", entry: entryOf($("f:id")), value: $("f:id").value.trim() });
form.flush = () => {
  clearTimeout(soon);
  const here = document.activeElement;
  if (here?.id === "f:id" && here.value !== here.defaultValue) rename();
  for (const control of waiting.values()) write(control);
  waiting.clear();
  return last;
};

box.addEventListener("input", (event) => {
  const control = event.target;
  if (!control.matches("[data-field]") || control.validity.badInput) return;
  waiting.set(control.id, control);
  clearTimeout(soon);
  if (control.matches("[type=checkbox], select")) form.flush();
  else soon = setTimeout(form.flush, 150);
});

const add = async () => {
  const [option] = $("f:add").selectedOptions;
  const old = [...box.querySelectorAll(".line [data-field]")].filter((one) => one.dataset.field === option.value);
  const value = option.dataset.shape === "lines" ? [...old.map((one) => one.value), ""] : "";
  await edit({ change: "value", entry: form.entry, field: option.value, value }, `f:${option.value}:${old.length}`);
};
const drop = async (control) => {
  const rest = same(control).filter((one) => one !== control).map((one) => one.value);
  const value = control.dataset.shape === "lines" ? rest : null;
  await edit({ change: "value", entry: entryOf(control), field: control.dataset.field, value }, "f:add");
};
const begin = () => {
  const name = $("f:name").value;
  $("f:name").value = "";
  return edit({ change: "new", kind: $("f:kind").value, name }, "f:name:0");
};
const remove = async () => {
  const text = editor.value;
  await edit({ change: "remove" }, "f:entry");
  const undo = document.createElement("button");
  undo.textContent = "Put it back";
  undo.addEventListener("click", () => { rewrite(text); check(); });
  $("saved").append(" Removed. ", undo);
};

box.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button || button.matches(".goto")) return;
  await form.flush();
  if (button.id === "f:adding") await add();
  else if (button.id === "f:new") await begin();
  else if (button.id === "f:copy") await edit({ change: "copy" }, "f:name:0");
  else if (button.id === "f:remove") await remove();
  else if (button.dataset.drop) await drop($(button.dataset.drop));
});
box.addEventListener("change", async (event) => {
  if (event.target.id === "f:entry") {
    const entry = event.target.value;
    await form.flush();
    form.entry = entry;
    show(entry);
    await check();
  } else if (event.target.id === "f:id") await rename();
});
box.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.ctrlKey && event.target.id === "f:name") form.flush().then(begin);
});

// ---------------------------------------------------------------- below the card

const card = $("card");
card.addEventListener("click", ({ target }) => {
  const button = target.closest("button[data-by]");
  if (button) edit({ change: "step", entry: entryOf(button), field: button.dataset.field, by: +button.dataset.by });
});
card.addEventListener("change", ({ target }) => {
  const all = [...card.querySelectorAll("input[data-field]")].filter((one) => one.dataset.field === target.dataset.field);
  const value = all.filter((one) => one.checked).map((one) => one.value);
  edit({ change: "value", entry: entryOf(target), field: target.dataset.field, value });
});
for (const one of document.querySelectorAll(".new-entry")) {
  one.addEventListener("click", async () => {
    await form.flush();
    const name = one.textContent;
    const more = editor.value.split(`"${name}`).length;
    const entry = await edit({ change: "new", kind: one.dataset.kind, name: more > 1 ? `${name} ${more}` : name });
    if (entry) await askAbout(entry.split(".").at(-1));
    $("panes").scrollIntoView({ block: "nearest" });
  });
}

// ---------------------------------------------------------------- the table of all entries

const grid = $("grid");

// Cells show what the text says, but for the one in which somebody types.
form.laid = () => {
  for (const one of grid.querySelectorAll("input, select")) {
    if (one === document.activeElement) continue;
    const said = one.options ? one.querySelector("[selected]")?.value ?? "" : one.getAttribute("value");
    if (one.value !== said) one.value = said;
  }
  for (const one of grid.querySelectorAll("tr[data-entry]")) one.classList.toggle("own", one.dataset.entry === form.entry);
};
grid.addEventListener("change", ({ target }) => {
  if (target.validity.badInput) return;
  const { entry } = target.closest("[data-entry]").dataset;
  edit({ change: "value", entry, field: target.dataset.field, value: target.value });
});
grid.addEventListener("click", async ({ target }) => {
  const button = target.closest(".pick");
  if (!button) return;
  await form.flush();
  form.entry = button.dataset.entry;
  show(form.entry);
  await check();
});

// A press on the name of an entry in an answer shows it here as well.
document.addEventListener("click", async ({ target }) => {
  const asked = target.closest(".about")?.dataset.entry;
  const entry = asked && [...editor.value.matchAll(header)].map((one) => one[1]).find((one) => one.split(".").at(-1) === asked);
  if (!entry) return;
  show(entry);
  if (form.entry === undefined) return;
  await form.flush();
  form.entry = entry;
  await check();
});

// ---------------------------------------------------------------- beside the text

for (const one of views) {
  one.addEventListener("change", async () => {
    await form.flush();
    localStorage.setItem("view", one.value);
    look(one.value);
    await check();
  });
}
// The form follows the caret of the text.
let following = 0;
document.addEventListener("selectionchange", () => {
  if (document.activeElement !== editor || form.entry === undefined) return;
  clearTimeout(following);
  following = setTimeout(() => {
    const entry = entryAtCaret();
    if (document.activeElement !== editor || !entry || entry === form.entry) return;
    form.entry = entry;
    check();
  }, 200);
});
// What leads into the text shows it first.
document.addEventListener("click", (event) => {
  if (event.target.closest?.(".goto") && ["form", "table"].includes(view())) {
    look("both");
    check();
  }
}, true);

look(localStorage.getItem("view") ?? (matchMedia("(min-width: 100rem)").matches ? "both" : "text"));
if (!editor.disabled) check();
