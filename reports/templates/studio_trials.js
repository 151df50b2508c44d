// Versions of the file, and experiments: what was before, what each part does, what would be fairer.
import { $, ask, asked, begin, editor, kept, press, save, show, type } from "./studio.js";
import { parse, renew } from "./studio_parts.js";

// ---------------------------------------------------------------- versions

let asking = 0;
const versions = async () => {
  const mine = (asking += 1);
  const found = await ask("history");
  if (!found || mine !== asking) return;
  renew($("versions"), parse(found.html));
  if (!stepping) goTo(walk?.texts[walk.at] === texts()[0] ? walk : null);
  for (const select of document.querySelectorAll(".against")) {
    // The newest one before, unless somebody has chosen another: with a save that is another one.
    const before = select.dataset.chosen;
    const options = found.versions.length ? found.versions : [["", "nothing yet: save a change first"]];
    select.replaceChildren(...options.map(([number, words]) => new Option(words, number)));
    if (found.versions.some(([number]) => number === before)) select.value = before;
  }
  for (const one of document.querySelectorAll(".choose")) {
    const before = new Set([...one.querySelectorAll(":checked")].map(({ value }) => value));
    const labels = found.versions.map(([number, words]) => {
      const label = document.createElement("label");
      const box = Object.assign(document.createElement("input"), { type: "checkbox", name: "versions", value: number });
      box.defaultChecked = before.has(number);
      label.append(box, words);
      return label;
    });
    one.replaceChildren(one.firstElementChild, ...(labels.length ? labels : ["nothing yet: save a change first"]));
  }
};

// One after the other, so that what was typed last is what is kept.
let described = Promise.resolve();
const describe = (row) => {
  const [name, why] = [".called", ".because"].map((one) => row.querySelector(one).value);
  described = described.then(async () => {
    if (await ask("describe", { number: row.dataset.number, name, why })) await versions();
  });
};

// Undo and redo of saves, and of what was typed since: through the texts of the versions as they were when the first was undone.
// They outlast a reload, and end where something else is typed or saved.
const place = `undone in ${document.body.dataset.file}`;
let walk = JSON.parse(sessionStorage.getItem(place) ?? "null");
let stepping = false;
const texts = () => [...document.querySelectorAll("#versions .take")].map(({ dataset }) => dataset.text);
const goTo = (now) => {
  walk = now;
  try {
    sessionStorage.setItem(place, JSON.stringify(walk));
  } catch {
    sessionStorage.removeItem(place); // too long for the browser: a reload forgets it
  }
  const isFirst = walk ? walk.at + 1 >= walk.texts.length : texts().length < 2;
  $("undo").disabled = isFirst && editor.value === kept;
  $("redo").disabled = !walk?.at;
};
const step = async (by) => {
  if (stepping) return;
  stepping = true;
  try {
    if (!walk) {
      if (!(await save())) return; // what was typed meanwhile is a version, too
      await versions();
    }
    const now = walk ?? { texts: texts(), at: 0 };
    const at = Math.min(Math.max(now.at + by, 0), now.texts.length - 1);
    type(0, editor.value.length, now.texts[at]);
    if (await save()) goTo({ ...now, at });
  } finally {
    stepping = false;
  }
};

// ---------------------------------------------------------------- experiments

const attempt = (form) => begin(async () => {
  await versions(); // what has just been saved may be a new one
  const chosen = new FormData(form);
  const more = { ...Object.fromEntries(chosen), versions: chosen.getAll("versions").join(" ") };
  return ask("try", { kind: form.closest(".trial").dataset.kind, more, ...asked() });
});

// Puts changed entries into the text, where what else is in it stays, and chooses how it is played.
const put = async (button) => {
  const { of } = button.closest(".live").dataset;
  const { text, chosen } = button.dataset;
  const found = await ask("put", { text: editor.value, entries: text, of });
  if (!found) return;
  if (found.text !== editor.value) type(0, editor.value.length, found.text);
  for (const [name, value] of Object.entries(JSON.parse(chosen ?? "{}"))) {
    const select = document.querySelector(`#asked select[name=${name}]`);
    select.value = value;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    select.closest("details")?.setAttribute("open", "");
  }
};

document.addEventListener("click", ({ target }) => {
  const button = target.closest(".put");
  if (button) put(button);
});

if ($("trials")) {
  document.addEventListener("saved", versions);
  document.addEventListener("edited", () => {
    if (!stepping) goTo(null);
  });
  $("undo").addEventListener("click", () => step(1));
  $("redo").addEventListener("click", () => step(-1));
  $("commit")?.addEventListener("click", async () => {
    if (await ask("commit")) await versions();
  });
  $("versions").addEventListener("change", (event) => describe(event.target.closest("tr")));
  $("trials").addEventListener("change", ({ target }) => {
    if (target.matches(".against")) target.dataset.chosen = target.value;
  });
  $("trials").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(event.target);
  });
  $("trials").addEventListener("click", (event) => {
    const button = event.target.closest(".take, .tried :is(.of, .next) button");
    if (button?.matches(".take")) type(0, editor.value.length, button.dataset.text);
    else if (button) press(button, button.closest(".trial").dataset.kind);
  });
  document.addEventListener("known", ({ detail }) => {
    for (const [kind, html] of Object.entries(detail.tried ?? {})) {
      const trial = $(kind);
      if (!trial) continue;
      const place = trial.querySelector(".tried");
      if (html && !place.firstChild) trial.open = true;
      show(html, place);
    }
  });
  versions();
}
