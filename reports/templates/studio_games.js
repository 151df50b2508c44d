// Sitting down at the table with the card that is being written, and the games to be told.
import { $, ask, asked, editor, ready } from "./studio.js";
import { parse, renew } from "./studio_parts.js";

const list = async () => {
  const answer = await fetch("games");
  if (answer.ok) renew($("games-list"), parse(await answer.text()));
};

const told = () => {
  const option = $("entry").selectedOptions[0];
  const box = document.querySelector("#sit [name=with]");
  box.disabled = !option?.value;
  $("with-name").textContent = option?.value ? option.textContent : $("with-name").dataset.nobody;
};

// Says what takes long: new cards are learned first, the engine is compiled once.
let telling = 0;
const tell = async () => {
  const answer = await fetch("doing").catch(() => undefined);
  if (telling && answer?.ok) $("sitting").textContent = (await answer.json()).doing || "Dealing.";
};

let beginning = false;
const sit = async (form) => {
  if (beginning) return;
  beginning = true;
  try {
    $("sitting").textContent = "";
    if (await ready()) await deal(form);
    else if (!$("hindered").hidden) $("sitting").textContent = $("hindered").textContent;
  } finally {
    beginning = false;
  }
};
const deal = async (form) => {
  const { player, seed, seat } = Object.fromEntries(new FormData(form));
  const { entry, chosen } = asked();
  const wanted = { ...document.body.dataset, entry: form.elements.with.checked ? entry : "", chosen: { ...chosen, player }, seed, seat };
  telling = setInterval(tell, 500);
  const found = await ask("sit_down", wanted);
  clearInterval(telling);
  telling = 0;
  $("sitting").textContent = "";
  if (!found) return;
  sessionStorage.setItem(`seat at ${found.play}`, JSON.stringify(wanted));
  location.href = `table?play=${encodeURIComponent(found.play)}`;
};

// The last game of the run that is chosen.
const limit = ({ elements: { number, run } }) => { number.max = run.selectedOptions[0].dataset.last; };

if ($("games")) {
  sessionStorage.setItem("card file", document.body.dataset.file); // to which the table leads back
  let worked = false;
  document.addEventListener("known", ({ detail }) => {
    if (worked && !detail.working) list();
    worked = detail.working;
  });
  $("sit").addEventListener("submit", (event) => {
    event.preventDefault();
    sit(event.target);
  });
  new MutationObserver(told).observe($("entry"), { childList: true });
  $("entry").addEventListener("change", told);
  editor.addEventListener("input", () => { if (!beginning) $("sitting").textContent = ""; });
  // A form that asks for a page is not what the studio's policy lets a page send.
  $("games-list").addEventListener("submit", (event) => {
    event.preventDefault();
    limit(event.target);
    if (!event.target.reportValidity()) return;
    const { run, number } = Object.fromEntries(new FormData(event.target));
    location.href = `table?${new URLSearchParams({ run, number })}`;
  });
  $("games-list").addEventListener("change", ({ target }) => {
    if (target.name === "run") limit(target.form);
  });
  list();
}
