/** The console: draws the tables of `/console/data`, and draws them again every two seconds. */

const { token } = document.currentScript.dataset;

const REFRESH_MS = 2_000;
const GOOD = new Set(["paid", "DELIVERED", "200", "201", "204"]);
const BAD = new Set(["failed", "expired", "cancelled", "FAILED", "CANCELLED"]);
const HTTP_ERROR = /^[45]\d\d$/;

/** Whatever the server holds is shown as text, never as HTML. */
function make(tag, text) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  return element;
}

function headCell(text) {
  const cell = make("th", text);
  cell.scope = "col";
  return cell;
}

function bodyCell(text) {
  const cell = make("td", text);
  if (GOOD.has(text)) cell.className = "good";
  if (BAD.has(text) || HTTP_ERROR.test(text)) cell.className = "bad";
  return cell;
}

function rowOf(cells) {
  const row = make("tr");
  row.append(...cells);
  return row;
}

function sectionOf({ title, head, rows }) {
  const section = make("section");
  section.append(make("h2", title));
  if (rows.length === 0) {
    section.append(make("p", "Nothing yet."));
    return section;
  }
  const table = make("table");
  table.append(rowOf(head.map(headCell)), ...rows.map((row) => rowOf(row.map(bodyCell))));
  section.append(table);
  return section;
}

async function refresh() {
  const now = document.getElementById("now");
  const mode = document.getElementById("mode").value;
  try {
    const answer = await fetch(`/console/data?k=${encodeURIComponent(token)}&mode=${mode}`, { cache: "no-store" });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    const data = await answer.json();
    now.textContent = `Clock ${data.now}`;
    document.querySelector("main").replaceChildren(...data.tables.map(sectionOf));
  } catch (error) {
    now.textContent = `Not reachable: ${error.message}`;
  }
}

async function keepFresh() {
  await refresh();
  setTimeout(keepFresh, REFRESH_MS);
}

document.getElementById("mode").addEventListener("change", refresh);
void keepFresh();
