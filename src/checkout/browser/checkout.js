/** The checkout page: counts down, copies codes, and follows the payment until nothing can change any more. */

const { statusUrl } = document.currentScript.dataset;
const opened = performance.now();

const COUNT_MS = 1_000;
const WATCH_MS = 1_500;
/** How long a button says that it has copied. */
const COPIED_MS = 2_500;

/** Removes the methods that cannot be used any more and shows how the payment ended. Returns whether it can change. */
function show({ methods, status, title, text, tone }) {
  for (const section of document.querySelectorAll("[data-method]")) {
    if (!methods.includes(section.dataset.method)) section.remove();
  }
  if (title) {
    const outcome = document.getElementById("outcome");
    document.getElementById("title").textContent = title;
    document.getElementById("text").textContent = text;
    outcome.className = `outcome ${tone}`;
    outcome.hidden = false;
    document.title = title;
    if (status !== "processing") outcome.querySelector("a")?.remove();
  }
  return status === "pending" || status === "processing";
}

const twoDigits = (number) => String(number).padStart(2, "0");

function timeText(seconds) {
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours === 0 ? "" : `${hours}:`}${twoDigits(minutes)}:${twoDigits(seconds % 60)}`;
}

/** `data-left` is what was left, in seconds, when the page was made. */
function countDown() {
  const times = document.querySelectorAll("[data-left]");
  const passed = (performance.now() - opened) / 1_000;
  for (const time of times) {
    time.textContent = `Expira em ${timeText(Math.max(0, Math.round(time.dataset.left - passed)))}`;
  }
  if (times.length > 0) setTimeout(countDown, COUNT_MS);
}

async function watch() {
  let canChange = true;
  try {
    const answer = await fetch(statusUrl, { cache: "no-store" });
    if (answer.ok) canChange = show(await answer.json());
  } catch {
    // The next look may reach the server again.
  }
  if (canChange) setTimeout(watch, WATCH_MS);
}

/** Copies the text of the code below the button, where the browser gives no access to its clipboard. */
function copySelected(code) {
  const range = document.createRange();
  range.selectNodeContents(code);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
  document.execCommand("copy");
}

async function copy(button, label) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    copySelected(button.nextElementSibling);
  }
  button.textContent = button.dataset.done;
  setTimeout(() => {
    button.textContent = label;
  }, COPIED_MS);
}

for (const button of document.querySelectorAll("[data-copy]")) {
  const label = button.textContent;
  button.addEventListener("click", () => void copy(button, label));
}
countDown();
void watch();
