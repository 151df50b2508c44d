// Spreadsheets: opened as a file beside them, taken in from elsewhere, and written from the file.
import { $, ask, ready } from "./studio.js";

// Asks, and asks again with leave to replace what is there if somebody gives it.
const askToReplace = async (what, said, then) => {
  const made = await ask(what, said);
  if (made && !made.changed) await then(made);
  if (!made?.changed) return;
  const replace = document.createElement("button");
  replace.textContent = "Replace it";
  replace.addEventListener("click", async () => {
    const again = await ask(what, { ...said, replace: true });
    if (again) await then(again);
  });
  $("trouble").append(" ", replace);
  replace.focus();
};

const { game } = $("tables").dataset;
const sheet = () => $("sheet").value.trim();
const open = (name) => askToReplace("open_table", { game, name, sheet: sheet() }, ({ file }) => {
  localStorage.removeItem(`draft of ${file}`);
  location.search = `?file=${encodeURIComponent(file)}`;
});

// The bytes of a file in base64.
const contents = (one) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.addEventListener("load", () => resolve(reader.result.slice(reader.result.indexOf(",") + 1)));
  reader.addEventListener("error", reject);
  reader.readAsDataURL(one);
});

$("tables").addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (button?.matches(".open-table")) await open(button.dataset.name);
  if (button?.matches(".save-table") && (await ready())) {
    await askToReplace("save_table", { as: button.dataset.as }, ({ name }) => { $("table-saved").textContent = `Wrote ${name} into the folder.`; });
  }
});
$("upload").addEventListener("change", async (event) => {
  const [one] = event.target.files;
  if (!one) return;
  event.target.value = "";
  await askToReplace("upload", { game, name: one.name, sheet: sheet(), data: await contents(one) }, () => open(one.name));
});
