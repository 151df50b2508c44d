// Versions of the file, and experiments: what was before, what each part does, what would be fairer.
import { $, again, ask, asked, editor, press, ready, show, type } from "./studio.js";

// ---------------------------------------------------------------- versions

const versions = async () => {
  const found = await ask("history");
  if (!found) return;
  $("versions").replaceChildren(...new DOMParser().parseFromString(found.html, "text/html").body.childNodes);
  for (const select of document.querySelectorAll(".against")) {
    const before = select.value;
    const options = found.versions.length ? found.versions : [["", "nothing yet: save a change first"]];
    select.replaceChildren(...options.map(([number, words]) => new Option(words, number)));
    if (found.versions.some(([number]) => number === before)) select.value = before;
  }
};

const describe = async (row) => {
  const [name, why] = [".called", ".because"].map((one) => row.querySelector(one).value);
  if (await ask("describe", { number: row.dataset.number, name, why })) versions();
};

// ---------------------------------------------------------------- experiments

const begin = async (form) => {
  if (!(await ready())) return;
  const more = Object.fromEntries(new FormData(form));
  if (await ask("try", { kind: form.closest(".trial").dataset.kind, more, ...asked() })) again();
};

if ($("trials")) {
  document.addEventListener("saved", versions);
  $("versions").addEventListener("change", (event) => describe(event.target.closest("tr")));
  $("trials").addEventListener("submit", (event) => {
    event.preventDefault();
    begin(event.target);
  });
  $("trials").addEventListener("click", (event) => {
    const button = event.target.closest(".take, .tried .next button");
    if (button?.matches(".take")) type(0, editor.value.length, button.dataset.text);
    else if (button) press(button, button.closest(".trial").dataset.kind);
  });
  document.addEventListener("known", ({ detail }) => {
    for (const [kind, html] of Object.entries(detail.tried ?? {})) {
      const trial = $(kind);
      if (!trial) continue;
      const place = trial.querySelector(".tried");
      if (!place.firstChild) trial.open = true;
      show(html, place);
    }
  });
  versions();
}
