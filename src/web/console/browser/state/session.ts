/**
 * The part of the session that pages of this origin keep. A browser sends the cookie of the session to every port of a host,
 * and this part to none: only the calls of the page have it, in a header. All tabs share it, and a reload keeps it.
 */

const NAME = "qa-pay-console-session";

/** Two links opened at once can leave the cookie of one and the part of the other, so several parts are kept. */
const KEPT = 3;

/** For a browser that refuses its storage: the session then lasts until the page is closed. */
let received = "";

function partsKept(): string {
  try {
    return localStorage.getItem(NAME) ?? received;
  } catch {
    return received;
  }
}

/** Takes the session's part from the answer to a link, and goes to the address that the link names. */
function takeSession(): void {
  const given = document.querySelector<HTMLMetaElement>('meta[name="qa-pay-session"]');
  if (given === null) return;
  received = [given.content, ...partsKept().split(" ")].slice(0, KEPT).join(" ").trim();
  given.remove();
  history.replaceState(null, "", given.dataset.address);
  try {
    localStorage.setItem(NAME, received);
  } catch {
    // See `received`.
  }
}

// Before all else: other modules read the address of the page as soon as they are loaded.
takeSession();

/** Read for each call, as another tab may have logged in since the last one. */
export function sessionHeader(): { readonly "x-qa-console": string } {
  return { "x-qa-console": partsKept() };
}
