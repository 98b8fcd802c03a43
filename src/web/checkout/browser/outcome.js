/** The outcome of the payment. Only text is put into the page. */

const LEAVE_AFTER = 5;

function make(name, text, properties = {}) {
  const element = document.createElement(name);
  element.textContent = text;
  return Object.assign(element, properties);
}

function factList(facts) {
  const list = make("dl", "");
  for (const [name, value] of facts) {
    const pair = make("div", "");
    pair.append(make("dt", name), make("dd", value));
    list.append(pair);
  }
  return list;
}

function link({ kind, href, label }, index) {
  const look = index === 0 ? "button main" : "button";
  const opened = kind === "receipt" ? { target: "_blank", rel: "noopener" } : {};
  const made = make("a", label, { href, className: look, ...opened });
  made.dataset.kind = kind;
  return made;
}

/** True if the payer came from a page of another origin, and the payment names no address to go back to. */
function shouldGoBack({ final, actions }) {
  const from = document.referrer;
  return (
    final && from !== "" && new URL(from).origin !== location.origin && !actions.some(({ kind }) => kind === "shop")
  );
}

export function showOutcome(state, texts) {
  const { status, tone, title, text, facts, actions } = state;
  const outcome = document.getElementById("outcome");
  document.title = title;
  document.getElementById("title").textContent = title;
  document.getElementById("text").textContent = text;
  document.getElementById("facts").replaceChildren(...(facts.length === 0 ? [] : [factList(facts)]));
  const all = actions.map(link);
  if (status === "paid") {
    all.push(make("button", texts.print, { type: "button", onclick: () => print() }));
  }
  if (shouldGoBack(state)) {
    const className = all.length === 0 ? "main" : "";
    all.push(make("button", texts.back, { type: "button", className, onclick: () => history.back() }));
  }
  document.getElementById("actions").replaceChildren(...all);
  outcome.className = `outcome ${tone}`;
  outcome.hidden = false;
}

/** Goes back to the shop after some seconds, unless the payer wants to stay. */
export function goBackSoon({ actions }, texts, announce) {
  const shop = actions.find(({ kind }) => kind === "shop");
  if (shop === undefined) return;
  const textAt = (seconds) => texts.leaving.replace("{seconds}", String(seconds));
  const told = make("p", textAt(LEAVE_AFTER), { className: "leaving" });
  const stay = make("button", texts.stay, { type: "button", className: "in-text" });
  let left = LEAVE_AFTER;
  const timer = setInterval(() => {
    left -= 1;
    told.firstChild.textContent = textAt(left);
    if (left > 0) return;
    clearInterval(timer);
    location.assign(shop.href);
  }, 1_000);
  stay.addEventListener("click", () => {
    clearInterval(timer);
    told.remove();
    document.getElementById("outcome").focus();
  });
  told.append(" ", stay);
  document.getElementById("actions").append(told);
  announce(textAt(LEAVE_AFTER));
}
