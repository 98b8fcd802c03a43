/**
 * Follows a payment by server-sent events. A hidden page holds no connection. A lost or refused connection is tried
 * again at growing intervals; each try first requests the status, so that the page knows it in any case.
 */

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** The waits between tries: longer each time, and partly random, so that not all pages return at once. */
function createWaits() {
  let failures = 0;
  return {
    next() {
      const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
      failures += 1;
      return longest * (0.5 + Math.random() / 2);
    },
    reset() {
      failures = 0;
    },
  };
}

/** Returns the state, "gone" when there is no such payment any more, or null when the server does not answer. */
async function ask(statusUrl) {
  try {
    const answer = await fetch(statusUrl, { cache: "no-store" });
    if (answer.status === 404) return "gone";
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/**
 * Shows each state of a payment as it arrives, from `resume` to `stop`. A broken stream is opened again after a while;
 * a hidden page opens none.
 */
export function followPayment({ streamUrl, statusUrl, show, gone, connected }) {
  const waits = createWaits();
  let source = null;
  let timer = null;
  let isOver = false;
  const isIdle = () => isOver || document.hidden;

  function close() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function stop() {
    isOver = true;
    close();
    connected(true);
  }

  /** Shows the status once. Returns true if the server was reached. */
  async function look() {
    const state = await ask(statusUrl);
    if (state === null || isOver) return state !== null;
    if (state !== "gone") show(state);
    else {
      stop();
      gone();
    }
    return true;
  }

  async function retry() {
    const isReached = await look();
    if (isIdle()) return;
    connected(isReached);
    if (isReached) open();
    else timer = setTimeout(retry, waits.next());
  }

  function open() {
    if (isIdle() || source !== null) return;
    clearTimeout(timer);
    source = new EventSource(streamUrl);
    source.addEventListener("state", ({ data }) => {
      const state = JSON.parse(data);
      if (state === null) return;
      waits.reset();
      connected(true);
      show(state);
    });
    source.addEventListener("error", () => {
      close();
      if (!isIdle()) timer = setTimeout(retry, waits.next());
    });
  }

  return { look: () => void look(), pause: close, resume: open, stop };
}
