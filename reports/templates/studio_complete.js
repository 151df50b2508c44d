// What can be written where one types, in a listbox that the keyboard alone can use: the arrows choose,
// Enter takes, Escape closes.  The server knows the words; nothing is chosen unless somebody does.
import { $, editor, game, typeInto } from "./studio.js";

const list = $("options");
let control; // in which is typed
let options = [];
let active = -1;

const close = () => {
  control?.removeAttribute("aria-activedescendant");
  if (control?.matches("[role=combobox]")) control.setAttribute("aria-expanded", "false");
  list.hidden = true;
  list.replaceChildren();
  options = [];
  active = -1;
};

const choose = (place) => {
  active = (place + options.length) % options.length;
  [...list.children].forEach((one, at) => one.setAttribute("aria-selected", String(at === active)));
  list.children[active].scrollIntoView({ block: "nearest" });
  control.setAttribute("aria-activedescendant", list.children[active].id);
};

const accept = (option) => {
  const at = control.selectionStart;
  const next = control.value[control.selectionEnd];
  const text = option.text.endsWith(" ") && next === " " ? option.text.slice(0, -1) : option.text;
  const written = control;
  close();
  typeInto(written, at - option.typed, written.selectionEnd, text);
  const end = written.selectionStart - option.back;
  written.setSelectionRange(end, end);
};

// Where the list goes: below the place in the text, or below the field; above it where there is no room.
const corner = () => {
  const box = control.getBoundingClientRect();
  if (control !== editor) return { left: box.left, top: box.top, bottom: box.bottom };
  const style = getComputedStyle(editor);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  const lines = editor.value.slice(0, editor.selectionStart).split("\n");
  const height = parseFloat(style.lineHeight);
  const below = parseFloat(style.paddingTop) + (lines.length - 1) * height - editor.scrollTop;
  const top = box.top + Math.min(Math.max(below, 0), box.height - height); // also while it is scrolled out of sight
  const left = box.left + parseFloat(style.paddingLeft) + pen.measureText(lines.at(-1)).width - editor.scrollLeft;
  return { left, top, bottom: top + height };
};
const placeList = () => {
  const frame = list.offsetParent.getBoundingClientRect();
  const { left, top, bottom } = corner();
  const isAbove = bottom + list.offsetHeight > innerHeight && top > list.offsetHeight;
  list.style.left = `${Math.max(0, Math.min(left - frame.left, frame.width - list.offsetWidth))}px`;
  list.style.top = `${(isAbove ? top - list.offsetHeight : bottom) - frame.top}px`;
};

const open = (found) => {
  options = found;
  active = -1;
  list.replaceChildren(...found.map((option, at) => {
    const one = document.createElement("li");
    one.id = `option-${at}`;
    one.setAttribute("role", "option");
    one.setAttribute("aria-selected", "false");
    one.append(option.text.trim() || option.text);
    if (option.hint) {
      const hint = document.createElement("small");
      hint.textContent = option.hint;
      one.append(" ", hint);
    }
    return one;
  }));
  list.hidden = false;
  list.scrollTop = 0;
  if (control.matches("[role=combobox]")) control.setAttribute("aria-expanded", "true");
  placeList();
  $("offered").textContent = `${found.length === 1 ? "1 word" : `${found.length} words`} can stand here; arrow down to choose.`;
};

// What the server is asked about a place.
const question = (at) => {
  const before = control.value.slice(0, at);
  if (control === editor) return { before, behind: control.value.slice(at) };
  if (control.id === "f:name") return { before, kind: $("f:kind").value };
  const { entry } = control.closest(".row").dataset;
  return { before, text: editor.value, entry, field: control.dataset.field };
};

let asked = 0;
const offer = async () => {
  const mine = (asked += 1);
  const at = control.selectionStart;
  const { value } = control;
  let found = [];
  try {
    const answer = await fetch("complete", { method: "POST", body: JSON.stringify({ game, ...question(at) }) });
    if (answer.ok) found = (await answer.json()).options;
  } catch { /* that the studio does not answer is told elsewhere */ }
  if (mine !== asked || control.value !== value || document.activeElement !== control) return;
  if (found.length) open(found);
  else close();
};

const completes = (one) => one === editor || one.matches?.("#form [role=combobox]");

let soon = 0;
document.addEventListener("input", (event) => {
  if (!completes(event.target) || event.isComposing) return;
  close();
  asked += 1;
  control = event.target;
  clearTimeout(soon);
  const line = control.value.slice(0, control.selectionStart).split("\n").at(-1);
  if (control !== editor || line.trim()) soon = setTimeout(offer, 60);
});

document.addEventListener("keydown", (event) => {
  if (!completes(event.target) || event.isComposing) return;
  const isAsking = (event.key === " " && event.ctrlKey) || (event.key === "ArrowDown" && (event.altKey || event.target !== editor));
  if (list.hidden) {
    if (!isAsking) return;
    control = event.target;
    offer();
  } else if (event.key === "ArrowDown") choose(active + 1);
  else if (event.key === "ArrowUp") choose(active < 0 ? -1 : active - 1);
  else if (event.key === "Enter" && active >= 0 && !event.ctrlKey && !event.metaKey) accept(options[active]);
  else if (event.key === "Escape") close();
  else {
    if (["Tab", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", "Enter"].includes(event.key)) close();
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}, true);

document.addEventListener("focusout", (event) => {
  if (event.target !== control) return;
  asked += 1;
  close();
});
editor?.addEventListener("scroll", close);
list.addEventListener("mousedown", (event) => event.preventDefault()); // the focus stays where one types
list.addEventListener("click", (event) => {
  const place = [...list.children].indexOf(event.target.closest("li"));
  if (place >= 0) accept(options[place]);
});
