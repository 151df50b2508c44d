// Puts what the server says into a page without replacing what is the same: a press of a button that
// falls into a refresh still counts, and focus, scrolling and what is typed stay.

const keyOf = (one) => (one.localName === "option" ? one.value : one.id) || "";
const isLike = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

const update = (old, now) => {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== now.data) old.data = now.data;
    return;
  }
  // Whether a part is folded is the reader's choice.
  for (const { name } of [...old.attributes]) if (name !== "open" && !now.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of now.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  renew(old, now);
};

// Makes the children of `old` those of `now`; ones with the same id, or the same value of an option,
// are the same.
const renew = (old, now) => {
  const coming = new Set([...now.children].map(keyOf));
  for (const one of [...old.children]) if (keyOf(one) && !coming.has(keyOf(one))) one.remove();
  const known = new Map([...old.children].map((one) => [keyOf(one), one]));
  let at = old.firstChild;
  for (const one of [...now.childNodes]) {
    const key = keyOf(one);
    const same = key ? known.get(key) : at;
    if (!same || !isLike(same, one)) old.insertBefore(one, at);
    else {
      if (same === at) at = at.nextSibling;
      else old.insertBefore(same, at);
      update(same, one);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
};

const parse = (html) => new DOMParser().parseFromString(html, "text/html").body;

export { parse, renew };
