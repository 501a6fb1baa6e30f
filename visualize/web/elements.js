// Making elements. Data reaches the page as text nodes only.

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  made.append(...children);
  return made;
}

/**
 * @param {string} label
 * @param {() => void} act
 * @param {string} [className]
 */
function button(label, act, className = "") {
  const made = element("button", className, label);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/**
 * An element of the template.
 * @param {string} id
 * @returns {HTMLElement}
 */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** Of a longer text, so much is shown at first. */
const SHOWN_CHARACTERS = 2000;

/**
 * A text in full, but a long one only on demand.
 * @param {string} text
 */
function longText(text) {
  const content = element("code", "value", shown(text.slice(0, SHOWN_CHARACTERS)));
  const box = element("div", "text", content);
  const copy = button(
    "copy",
    () => {
      copyText(text).then((done) => (copy.textContent = done ? "copied" : "can't copy here"));
    },
    "small"
  );
  if (text.length > SHOWN_CHARACTERS) {
    content.append("…");
    const all = button(
      `show all ${text.length.toLocaleString("en")} characters`,
      () => {
        content.textContent = shown(text);
        all.remove();
      },
      "small"
    );
    box.append(all, copy);
  } else if (text.length > 20) {
    box.append(copy);
  }
  return box;
}

/**
 * @param {string} text
 * @returns {Promise<boolean>}
 */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page that was opened as a file may have no such right, but may copy what is selected.
    const area = element("textarea", "");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/**
 * A list of terms and what they mean; pairs without a meaning are left out.
 * @param {[string, Node | string][]} pairs
 */
function terms(pairs) {
  const list = element("dl", "");
  for (const [term, meaning] of pairs) {
    if (meaning !== "") list.append(element("dt", "", term), element("dd", "", meaning));
  }
  return list;
}
