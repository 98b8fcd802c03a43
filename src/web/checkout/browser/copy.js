/** Codes: buttons copy them, select them as a whole, and share them where the browser can. */

/** The time for which a button confirms that it has copied. */
const COPIED_MS = 2_500;

function select(code) {
  const range = document.createRange();
  range.selectNodeContents(code);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}

async function copy(button, label, announce) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    // A page without access to the clipboard copies the selected text. The bank removes the spaces between groups.
    select(button.nextElementSibling);
    document.execCommand("copy");
  }
  button.textContent = button.dataset.done;
  button.classList.add("done");
  announce(button.dataset.done);
  setTimeout(() => {
    button.textContent = label;
    button.classList.remove("done");
    announce("");
  }, COPIED_MS);
}

function enableShare(button, text) {
  if (typeof navigator.share !== "function") return;
  button.hidden = false;
  // A person who closes the dialog has decided not to share.
  button.addEventListener("click", () => void navigator.share({ text }).catch(() => undefined));
}

export function enableCodes(announce) {
  for (const button of document.querySelectorAll("[data-copy]")) {
    const label = button.textContent;
    button.addEventListener("click", () => void copy(button, label, announce));
    const code = button.nextElementSibling;
    code.addEventListener("focus", () => select(code));
    code.addEventListener("click", () => select(code));
    const share = code.nextElementSibling;
    if (share?.dataset.share !== undefined) enableShare(share, button.dataset.copy);
  }
}
