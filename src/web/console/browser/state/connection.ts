import { signal } from "@preact/signals";

/** The connection of the page to the server. */
export type Connection =
  | { readonly state: "connecting" | "live" | "hidden" }
  /** The server does not answer, or the session of this browser is not valid any more. */
  | { readonly state: "cut off" | "logged out"; readonly since: number };

const current = signal<Connection>({ state: "connecting" });

function cut(state: "cut off" | "logged out"): void {
  const before = current.value;
  const since = "since" in before ? before.since : Date.now();
  current.value = { state, since };
}

export const connection = {
  current,
  live: () => {
    current.value = { state: "live" };
  },
  hidden: () => {
    if (current.value.state === "live") current.value = { state: "hidden" };
  },
  /** Any answer shows that the server is there again. */
  answered: () => {
    if (current.peek().state === "cut off") current.value = { state: "live" };
  },
  lost: () => cut("cut off"),
  loggedOut: () => cut("logged out"),
  /** True if actions make sense now. */
  get isWorking() {
    return !("since" in current.value);
  },
};
