// The table: a game that a person plays, or one that is told.  The page holds nothing that a reload
// loses: the game is in its file, and the move of a told game in the address.
const $ = (id) => document.getElementById(id);
const { play, run, number, turn } = document.body.dataset;
const isTold = "told" in document.body.dataset;
let at = ""; // the moment that is shown
let busy = false;

const trouble = (text) => {
  $("trouble").textContent = text;
  $("trouble").hidden = !text;
};

// Says what takes long while an answer is awaited.
const tellWork = async () => {
  try {
    const { doing } = await (await fetch("doing")).json();
    if (busy) $("doing").textContent = doing ? `${doing}.` : "Thinking.";
  } catch { /* the answer that is awaited says it */ }
};

// What the server answers; undefined, and said on the page, where it cannot or will not.
const ask = async (what, said = {}) => {
  if (busy) return undefined;
  busy = true;
  $("side").setAttribute("aria-busy", "true");
  const telling = setInterval(tellWork, 700);
  try {
    const answer = await fetch(what, { method: "POST", body: JSON.stringify({ play, run, number, at, ...said }) });
    const found = answer.headers.get("content-type")?.includes("json") ? await answer.json() : { trouble: await answer.text() };
    trouble(answer.ok ? "" : found.trouble ?? "The studio refused.");
    return answer.ok ? found : undefined;
  } catch {
    trouble("The studio does not answer. If it was ended in the terminal, start it again: the game is kept.");
    return undefined;
  } finally {
    clearInterval(telling);
    busy = false;
    $("side").removeAttribute("aria-busy");
    $("doing").textContent = "";
  }
};

// Puts the parts of an answer into their places; piles that lie open stay so.
const place = (html) => {
  const open = [...document.querySelectorAll("#scene details[open]")].map((one) => one.id);
  const parts = new DOMParser().parseFromString(html, "text/html");
  for (const part of parts.querySelectorAll("[data-for]")) $(part.dataset.for).replaceChildren(...part.childNodes);
  for (const id of open) $(id)?.setAttribute("open", "");
};

// ---------------------------------------------------------------- a game that is played

const show = (found, focus) => {
  place(found.html);
  at = found.at;
  $("what").textContent = found.what;
  $("opinions").replaceChildren();
  expectNumber("");
  $("log").scrollTop = $("log").scrollHeight;
  if ($("told")) $("told").href = `table?play=${encodeURIComponent(play)}&told`;
  if (found.moved_on) trouble("The game has gone on in another window or in a terminal; this is how it stands.");
  if (!focus) return;
  $("news").scrollTop = $("news").scrollHeight;
  $("question").focus();
};

const act = async (what, said) => {
  const found = await ask(what, said);
  if (found) show(found, true);
};

const advise = async (what) => {
  const found = await ask(what);
  if (!found) return;
  $("opinions").replaceChildren(...new DOMParser().parseFromString(found.html, "text/html").body.childNodes);
  $("opinions").scrollIntoView({ block: "nearest" });
};

// Adds the finished game to the log of playtests.
const keep = async (button) => {
  const found = await ask("add_to_log");
  if (!found) return;
  button.disabled = true;
  button.textContent = `It is in ${found.log}`;
};

// Another deal of what this window has sat down to, with the cards as they are now.
const asked = sessionStorage.getItem(`seat at ${play}`);
const another = async () => {
  const found = await ask("sit_down", { ...JSON.parse(asked), seed: "" });
  if (!found) return;
  sessionStorage.setItem(`seat at ${found.play}`, asked);
  location.search = `?play=${encodeURIComponent(found.play)}`;
};

// Numbers are typed digit by digit; one with which longer ones begin waits for Enter.
let typed = "";
const numbered = (begin) => [...document.querySelectorAll(".option")].filter((one) => one.ariaKeyShortcuts.startsWith(begin));
const expectNumber = (digits) => {
  typed = digits;
  const found = typed ? numbered(typed) : [];
  for (const one of document.querySelectorAll(".option")) one.classList.toggle("typed", found.includes(one));
  $("typed").textContent = typed ? `${typed}: Enter takes it; or type on. Escape leaves it.` : "";
};
const type = (digit) => {
  const begin = numbered(typed + digit).length ? typed + digit : digit;
  const found = numbered(begin);
  if (found.length === 1) return press(found[0]);
  expectNumber(found.length ? begin : "");
  return found.length > 0;
};

const sit = async () => {
  $("kept").textContent = `runs/${play}`;
  $("another").hidden = !asked;
  $("another").addEventListener("click", another);
  $("story").open = matchMedia("(min-width: 60rem)").matches;
  document.addEventListener("click", (event) => {
    const button = event.target.closest("#ask button, #scene [data-option]");
    if (button?.dataset.option) act("choose", { option: +button.dataset.option });
    else if (button?.id === "undo") act("undo");
    else if (button?.id === "add_to_log") keep(button);
    else if (button) advise(button.id);
  });
  const found = await ask("at_table");
  if (found) show(found, false);
};

// ---------------------------------------------------------------- a game that is told

let last = 0;
const tell = async (where, said = {}) => {
  const found = await ask("tell", { at: Math.max(where, 0), ...said });
  if (!found) return;
  place(found.html);
  at = found.at;
  last = found.last;
  $("what").textContent = found.what;
  $("at").max = last;
  $("at").value = at;
  $("first").disabled = $("previous").disabled = at === 0;
  $("next").disabled = $("last").disabled = at === last;
  if (document.activeElement?.disabled || document.activeElement === document.body) $(at === last ? "previous" : "next").focus();
  history.replaceState(null, "", `${location.search}#${at}`);
  mark();
  if (wanted !== undefined) follow();
};

// The curve of the game, once it was judged; where there is no judge there is none.
const mark = () => {
  const here = $("here");
  if (!here) return;
  const x = (here.dataset.width * at) / Math.max(last, 1);
  here.setAttribute("x1", x);
  here.setAttribute("x2", x);
};
const judge = async () => {
  const found = await ask("course");
  if (wanted !== undefined) follow(); // a key that was pressed meanwhile
  if (!found?.html) return;
  place(found.html);
  mark();
  $("side").addEventListener("click", ({ target, clientX }) => {
    const button = target.closest(".moment");
    const curve = target.closest(".course")?.getBoundingClientRect();
    if (button) go(+button.dataset.at);
    else if (curve) go(Math.round((last * (clientX - curve.left)) / curve.width));
  });
};

// While a moment is awaited, the last one that was asked for is remembered.
let wanted;
const go = (where) => {
  wanted = Math.min(Math.max(where, 0), last);
  if (!busy) follow();
};
const follow = () => {
  const where = wanted;
  wanted = undefined;
  if (where !== at) tell(where);
};

const steps = { first: () => 0, previous: () => at - 1, next: () => at + 1, last: () => last };
const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

const listen = () => {
  for (const [id, where] of Object.entries(steps)) $(id).addEventListener("click", () => go(where()));
  $("at").addEventListener("input", () => go(+$("at").value));
  const before = location.hash.slice(1);
  (/^\d+$/.test(before) ? tell(+before) : tell(0, { turn })).then(judge);
};

// ---------------------------------------------------------------- keys

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input")) return;
  if (!(isTold ? toldKey(event.key) : playKey(event.key))) return;
  event.preventDefault();
});

// Each says whether the key means something here.
const press = (button) => {
  if (!button || button.disabled) return false;
  button.click();
  return true;
};
const toldKey = (key) => press($(keys[key]));
const playKey = (key) => {
  if (/^\d$/.test(key)) return type(key);
  const begun = typed;
  if (begun) expectNumber("");
  if (begun && key === "Enter") return press(numbered(begun)[0]);
  if (begun && key === "Escape") return true;
  return press($({ h: "hint", t: "thoughts", u: "undo" }[key.toLowerCase()]));
};

const file = sessionStorage.getItem("card file");
if (file) $("back").href = `./?file=${encodeURIComponent(file)}`;
if (isTold) listen();
else sit();
