// The studio's page.  It holds no state that a reload loses: the file is in the address, what was
// typed is kept in this browser until it is saved, and all else the server knows.
import { parse, renew } from "./studio_parts.js";

const $ = (id) => document.getElementById(id);
const { game, file } = document.body.dataset;
const editor = $("text");
const draft = `draft of ${file}`;
let version = ""; // of the file as it was opened
let kept = ""; // its text, as it was opened or saved
let faults = [];
let seen = -1;
// The form beside the text (studio_form.js): the entry that it shows, undefined while it is not in
// sight; whether the table of all entries is in sight; how what the server says is put into both; and
// how what was typed in them is written into the text.
const form = { entry: undefined, grid: false, settle: () => {}, laid: () => {}, flush: async () => {} };

// ---------------------------------------------------------------- asking

let troubled = ""; // what was asked when there was trouble
const unasked = new Set(["check", "edit", "history"]); // by a press
const trouble = (text, what = "") => {
  $("trouble").textContent = text;
  $("trouble").hidden = !text;
  troubled = what;
};

let silent = 0; // when it was last found that nobody answers
// A browser keeps what was typed for an address with its port, and the next port is any that is free.
const silence = () => {
  silent = performance.now();
  trouble(`The studio does not answer. If it was ended in the terminal, start it again with --port ${location.port}: there this browser has kept what you typed.`, "check");
};

// What the server answers; undefined, and said on the page, where it cannot or will not.
const ask = async (what, said = {}) => {
  const since = performance.now();
  try {
    const answer = await fetch(what, { method: "POST", body: JSON.stringify({ game, file, ...said }) });
    if (answer.ok) {
      // What nobody has pressed a button for takes no choice away which a save has left open; and
      // a studio that ends still answers what it was asked before.
      if (since > silent && (!unasked.has(what) || troubled === what)) trouble("");
      return await answer.json();
    }
    if (answer.status >= 500) throw new Error(); // as what it breaks off when it ends
    const found = answer.headers.get("content-type")?.includes("json") ? await answer.json() : {};
    trouble(found.trouble ?? (await answer.text?.().catch(() => "")) ?? "the studio refused", what);
    return found.changed ? found : undefined;
  } catch {
    silence();
    return undefined;
  }
};

// ---------------------------------------------------------------- new files

$("begin").addEventListener("submit", async (event) => {
  event.preventDefault();
  const made = await ask("new", { game: $("game").value, name: $("name").value });
  if (made) location.search = `?file=${encodeURIComponent(made.file)}`;
});
$("start")?.addEventListener("click", async (event) => {
  const one = event.target.closest(".example")?.dataset;
  if (!one) return;
  const made = await ask("example", one);
  if (!made) return;
  // What is pressed is played, without a second press.
  sessionStorage.setItem(`entry of ${made.file}`, one.name);
  sessionStorage.setItem("play", made.file);
  location.search = `?file=${encodeURIComponent(made.file)}`;
});
$("rules")?.addEventListener("click", async (event) => {
  const name = event.target.closest(".open-game")?.dataset.name;
  if (!name) return;
  const made = await ask("open_game", { rules: name, confirmed: name });
  if (made) location.search = `?file=${encodeURIComponent(made.file)}`;
});
$("file")?.addEventListener("change", (event) => {
  location.search = `?file=${encodeURIComponent(event.target.value)}`;
});

// ---------------------------------------------------------------- editing

const saved = (text) => { $("saved").textContent = text; };

const lineStarts = () => {
  const starts = [0];
  for (let at = editor.value.indexOf("\n"); at >= 0; at = editor.value.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
};
const placeOf = ({ line, column }) => {
  const starts = lineStarts();
  return (starts[Math.min(line, starts.length) - 1] ?? 0) + Math.max(column - 1, 0);
};

// The words of a line: what begins an entry, the name of a field, a text, a number, a remark.
const WORDS = /(?<head>^[ \t]*\[[^\]\n]*\])|(?<key>^[ \t]*[\w-]+(?=[ \t]*=))|(?<text>"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?)|(?<number>-?\b\d[\d_.]*\b|\b(?:true|false)\b)|(?<remark>#.*$)/gm;
const coloured = (text) => {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(WORDS)) {
    const [kind] = Object.entries(found.groups).find(([, said]) => said !== undefined);
    const one = document.createElement("i");
    one.className = kind;
    one.textContent = found[0];
    parts.push(text.slice(at, found.index), one);
    at = found.index + found[0].length;
  }
  return [...parts, text.slice(at)];
};

// Colours the text and underlines what is wrong, in a copy of it that lies behind it.
const mark = () => {
  const text = editor.value;
  const places = faults
    .filter((one) => one.line)
    .map((one) => {
      const from = Math.min(placeOf(one), text.length);
      const word = one.found && text.startsWith(one.found, from) ? one.found : /^[\w-]+|^./.exec(text.slice(from))?.[0] ?? " ";
      return [from, from + word.length];
    })
    .sort((a, b) => a[0] - b[0]);
  const parts = [];
  let at = 0;
  for (const [from, to] of places) {
    if (from < at) continue;
    const one = document.createElement("mark");
    one.textContent = text.slice(from, to) || " ";
    parts.push(...coloured(text.slice(at, from)), one);
    at = to;
  }
  $("marks").replaceChildren(...parts, ...coloured(text.slice(at)), "\n");
  follow();
};
const follow = () => {
  $("marks").scrollTop = editor.scrollTop;
  $("marks").scrollLeft = editor.scrollLeft;
};

const place = (html) => {
  for (const part of parse(html).querySelectorAll("[data-for]")) {
    if (part.dataset.for === "form") form.settle(part);
    else renew($(part.dataset.for), part);
    if (part.dataset.for === "grid") form.laid();
  }
};

let order = ""; // of the list: as in the file, or by results
// Marks the entry that is asked about in the list.
const choose = () => {
  for (const one of document.querySelectorAll(".mine tr[data-entry]")) one.classList.toggle("own", one.dataset.entry === $("entry").value);
  date();
};
let about = sessionStorage.getItem(`entry of ${file}`); // what is asked about, as soon as it has no fault
const askAbout = (entry) => {
  about = entry;
  sessionStorage.setItem(`entry of ${file}`, about);
  return check();
};
let checking = 0;
const check = async () => {
  const mine = (checking += 1);
  const found = await ask("check", { text: editor.value, form: form.entry, grid: form.grid, entry: about, order, chosen: chosenNow() });
  if (!found || mine !== checking) return;
  faults = found.faults;
  if (about === null && found.entries.length) {
    [[about]] = found.entries;
    return check();
  }
  place(found.html);
  mark();
  const entry = $("entry");
  const options = [...found.entries, ["", found.whole]];
  entry.replaceChildren(...options.map(([id, name]) => new Option(name === id || !id ? name : `${name} (${id})`, id)));
  entry.value = options.some(([id]) => id === about) ? about : options[0][0];
  choose();
  $("go").disabled = worked || beginning || faults.length > 0;
  $("hindered").hidden = !faults.length;
};

let soon = 0;
const changed = () => {
  if (editor.value === kept) {
    localStorage.removeItem(draft);
    saved("Saved.");
  } else {
    localStorage.setItem(draft, JSON.stringify({ text: editor.value, version }));
    saved("Not saved.");
  }
  date();
  mark();
  document.dispatchEvent(new Event("edited"));
  clearTimeout(soon);
  soon = setTimeout(check, 150);
};

// One save after the other: each is of the version that the one before has made.
let saving = Promise.resolve();
const save = () => (saving = saving.catch(() => {}).then(write));
const write = async () => {
  await form.flush();
  const text = editor.value;
  const found = await ask("save", { text, version });
  if (!found) return false;
  if (found.changed) {
    const again = document.createElement("button");
    again.textContent = "Open what is there now";
    again.addEventListener("click", () => { localStorage.removeItem(draft); location.reload(); });
    const mine = document.createElement("button");
    mine.textContent = "Replace it by mine";
    mine.addEventListener("click", async () => {
      const theirs = await ask("read");
      version = theirs?.version ?? ""; // a file that was taken away is made anew
      await save();
    });
    $("trouble").append(" ", again, " ", mine);
    again.focus();
    return false;
  }
  version = found.version;
  kept = text;
  date();
  if (editor.value === text) {
    localStorage.removeItem(draft);
    saved("Saved.");
  }
  document.dispatchEvent(new Event("saved"));
  return true;
};

const open = async () => {
  const found = await ask("read");
  if (!found) return;
  version = found.version;
  editor.value = kept = found.text;
  const typed = JSON.parse(localStorage.getItem(draft) ?? "null");
  if (typed && typed.text !== found.text) {
    editor.value = typed.text;
    version = typed.version;
    saved("Not saved: this is what you typed before.");
  } else {
    saved("Saved.");
  }
  editor.setSelectionRange(0, 0);
  editor.disabled = $("save").disabled = false;
  date();
  await check();
  if (sessionStorage.getItem("play") === file) {
    sessionStorage.removeItem("play");
    $("asked").requestSubmit();
  }
};

// Types text over a part of a control, so that the browser's undo knows it.
const typeInto = (control, from, to, text) => {
  control.focus();
  control.setSelectionRange(from, to);
  if (document.execCommand("insertText", false, text)) return;
  control.setRangeText(text, from, to, "end");
  control.dispatchEvent(new Event("input", { bubbles: true }));
};
const type = (from, to, text) => typeInto(editor, from, to, text);

// Makes the text another one by changing only what differs, and leaves the focus where it is.
const rewrite = (text) => {
  const old = editor.value;
  const most = Math.min(old.length, text.length);
  let from = 0;
  while (from < most && old[from] === text[from]) from += 1;
  let same = 0;
  while (same < most - from && old.at(-1 - same) === text.at(-1 - same)) same += 1;
  editor.setRangeText(text.slice(from, text.length - same), from, old.length - same, "preserve");
  changed();
};

const insert = ({ lines, whole }) => {
  const text = editor.value;
  const starts = lineStarts();
  const header = /^\s*\[/;
  const lineOf = (at) => starts.findLastIndex((start) => start <= at);
  const all = text.split("\n");
  let after = all.length;
  if (whole === undefined) {
    after = lineOf(editor.selectionStart);
    if (!all.slice(0, after + 1).some((line) => header.test(line))) after = all.length - 1;
    else while (after + 1 < all.length && !header.test(all[after + 1])) after += 1;
    while (after > 0 && !all[after].trim()) after -= 1;
    after += 1;
  }
  const at = after < starts.length ? starts[after] : text.length;
  const before = at > 0 && text[at - 1] !== "\n" ? "\n" : "";
  type(at, at, `${before}${whole === undefined ? "" : "\n"}${lines}`);
  $("panes").scrollIntoView({ block: "nearest" });
};

if (editor) {
  editor.addEventListener("input", changed);
  editor.addEventListener("scroll", follow);
  new ResizeObserver(mark).observe(editor);
  $("save").addEventListener("click", save);
  $("format").addEventListener("click", async () => {
    await form.flush();
    const made = await ask("format", { text: editor.value });
    if (!made || made.text === editor.value) return;
    rewrite(made.text);
    await check();
  });
  $("entry").addEventListener("change", () => {
    askAbout($("entry").value);
  });
  $("faces").addEventListener("click", ({ target }) => {
    const sort = target.closest("#sort");
    if (!sort) return;
    ({ order } = sort.dataset);
    check();
  });
  $("find").addEventListener("input", () => {
    const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const one of document.querySelectorAll(".recipes li")) {
      one.hidden = !words.every((word) => one.textContent.toLowerCase().includes(word));
    }
    for (const one of document.querySelectorAll(".recipes")) one.hidden = !one.querySelector("li:not([hidden])");
    $("none-found").hidden = !!document.querySelector(".recipes:not([hidden])");
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.matches(".about")) {
      $("entry").value = button.dataset.entry;
      $("entry").dispatchEvent(new Event("change"));
      if (!button.closest("#faces")) $("entry").focus();
    } else if (button?.matches(".goto")) {
      const at = placeOf({ line: +button.dataset.line, column: +button.dataset.column });
      editor.focus();
      editor.setSelectionRange(at, at);
    } else if (button?.matches(".mend")) {
      const at = placeOf({ line: +button.dataset.line, column: +button.dataset.column });
      type(at, at + button.dataset.found.length, button.dataset.nearest);
    } else if (button?.matches(".recipe")) insert(button.dataset);
  });
  // The picture of a verdict, as it is or drawn by the browser.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a.share");
    if (!link) return;
    event.preventDefault();
    if (!(await save())) return; // the picture is of the file
    const address = `share.svg?${new URLSearchParams({ game, file, entry: $("entry").value })}`;
    const answer = await fetch(address);
    if (!answer.ok) return trouble(await answer.text());
    let data = await answer.blob();
    if (link.dataset.as === "png") {
      const picture = new Image();
      picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await data.text())}`;
      await picture.decode();
      const sheet = Object.assign(document.createElement("canvas"), { width: 2400, height: 1260 });
      sheet.getContext("2d").drawImage(picture, 0, 0, 2400, 1260);
      data = await new Promise((done) => sheet.toBlob(done, "image/png"));
    }
    const saving = Object.assign(document.createElement("a"), { href: URL.createObjectURL(data), download: link.download });
    saving.click();
    URL.revokeObjectURL(saving.href);
  });
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    if (event.key === "s") { event.preventDefault(); save(); }
    if (event.key === "Enter" && !$("go").disabled) { event.preventDefault(); $("asked").requestSubmit(); }
  });
  open();
}

// ---------------------------------------------------------------- playing

// What is chosen stays chosen where the page is opened again.
const choices = [...document.querySelectorAll("#asked select[name]")];
const chosenNow = () => Object.fromEntries(choices.map((one) => [one.name, one.value]));
const before = JSON.parse(sessionStorage.getItem(`choices of ${game}`) ?? "{}");
for (const one of choices) {
  if ([...one.options].some(({ value }) => value === before[one.name])) one.value = before[one.name];
  one.addEventListener("change", () => sessionStorage.setItem(`choices of ${game}`, JSON.stringify(chosenNow())));
}

// The card that is asked about, and how it is played.
const asked = () => ({ entry: $("entry").value, chosen: chosenNow() });

// Saves what has no fault; whether that was done.
const ready = async () => {
  await form.flush();
  clearTimeout(soon);
  await check();
  return !faults.length && (await save());
};

// Begins work once: a press while it is being begun is none.
let beginning = false;
const begin = async (work) => {
  if (beginning) return;
  beginning = true;
  enable(false); // at once: a second press would be lost
  let begun = false;
  try {
    begun = (await ready()) && (await work());
    if (!begun) return;
    worked = true;
    seen = -1; // looks at once, whatever was seen before
    look();
  } finally {
    beginning = false;
    if (!begun) enable(!faults.length);
  }
};
const enable = (is) => {
  for (const one of document.querySelectorAll("#go, #play-all, .trial form button")) one.disabled = !is;
};

$("asked")?.addEventListener("submit", (event) => {
  event.preventDefault();
  begin(() => ask("play", { kind: "play", ...asked() }));
});

$("play-all")?.addEventListener("click", () => begin(() => ask("play", { kind: "play", entry: "", chosen: chosenNow() })));
document.addEventListener("click", async (event) => {
  const button = event.target.closest("#answer button:not(.put, .about)");
  if (button) press(button, button.dataset.kind ?? "");
});
// A press counts for the button that it began on, though the answer moves it away from the pointer.
document.addEventListener("pointerdown", ({ target, pointerId }) => target.closest(".live button")?.setPointerCapture(pointerId));
// Stops the work, or goes on with what a button is for.
const press = async (button, kind) => {
  button.disabled = true;
  held = button.id;
  heldIn = button.closest(".live").parentElement;
  if (button.matches("#stop, .stop")) await ask("stop");
  else await ask("go_on", { kind, surer: "surer" in button.dataset });
  look();
};

// The button that was pressed last: while it is out of use the focus is nowhere, and goes back to it
// or to what has taken its place.
let held = "";
let heldIn; // the answer that it is in

// Says of answers about this file whether it is still as it was when they were asked for.
const date = () => {
  for (const one of document.querySelectorAll(".live")) {
    const { of, version: played } = one.dataset;
    one.querySelector(".since").hidden = of !== file || (played === version && editor.value === kept);
  }
  // What is known of the entry gives way to an answer that is about it as it is.
  const now = $("answer")?.querySelector(".live")?.dataset;
  const is = now?.of === file && now.version === version && now.entry === $("entry").value && editor.value === kept;
  document.body.classList.toggle("answered", !!is);
};

// Shows an answer; where the button that had the focus is gone, what has taken its place gets it.
const show = (html, now = $("answer")) => {
  const active = document.activeElement;
  const wanted = now.contains(active) ? active.id : active === document.body && now === heldIn ? held : "";
  renew(now, parse(html));
  date();
  if (wanted && document.activeElement?.id !== wanted) {
    (now.querySelector(`#${wanted}:not(:disabled)`) ?? now.querySelector(":is(.of, .next) button:not(:disabled)"))?.focus({ preventScroll: true });
  }
  if (document.activeElement !== document.body) held = "";
};

let looking = 0;
let listed = 0; // when the list was looked at last
let worked = false;
const look = async () => {
  clearTimeout(looking);
  let wait = 2000;
  try {
    const answer = await fetch(`state?seen=${seen}&game=${document.body.dataset.game}`);
    if (!answer.ok) throw new Error();
    const found = await answer.json();
    if (found.html !== undefined) show(found.html);
    // The list of entries narrows along, now and then.
    if (found.html !== undefined && found.working && editor && Date.now() > listed + 2000) {
      listed = Date.now();
      check();
    }
    document.dispatchEvent(new CustomEvent("known", { detail: found }));
    seen = found.version;
    if (found.working) wait = 350;
    if (worked && !found.working) {
      list();
      if (editor) check(); // what was found stands in the list
    }
    worked = found.working;
    enable(!found.working && !faults.length && !beginning);
  } catch {
    silence();
  }
  clearTimeout(looking);
  looking = setTimeout(look, wait);
};

const list = async () => {
  const answer = await fetch("runs");
  if (answer.ok) renew($("listed"), parse(await answer.text()));
};

list();
if ($("answer")) look();

export { $, ask, askAbout, asked, begin, check, editor, file, form, game, kept, press, ready, rewrite, save, show, type, typeInto };
