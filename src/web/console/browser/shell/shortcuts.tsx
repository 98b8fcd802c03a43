import { useLocation } from "preact-iso/router";
import { asFailure } from "../api/call.js";
import { copyText } from "../parts/copy.js";
import { Icon } from "../parts/icon.js";
import { withBook } from "../state/book.js";
import { connection } from "../state/connection.js";
import { texts } from "../state/language.js";
import { notify } from "../state/notice.js";
import type { MenuName } from "./menu.js";

/** What people want most of a page, by one click from every other page: buttons in the menu, and entries of the palette. */

const words = texts("shortcuts");

type Route = (path: string) => void;

/** Copies the variables of the chosen book. Where nobody knows its key, the page that creates one opens. */
async function copyEnv(route: Route): Promise<void> {
  try {
    // Few visits need it.
    const { readEnvBlock } = await import("../pages/connect/values.js");
    const block = await readEnvBlock();
    if (block === null) return route(withBook("/console/connect"));
    await copyText(block);
    notify(words.value.env_copied);
  } catch (thrown) {
    notify(asFailure(thrown).message);
  }
}

export const shortcuts = {
  connect: { name: "copy_env", run: copyEnv },
  requests: { name: "app_minute", run: (route: Route) => route(withBook("/console/requests?caller=app&since=1m")) },
} as const;

export const hasShortcut = (page: MenuName): page is keyof typeof shortcuts => page in shortcuts;

export function Shortcut({ of }: { of: keyof typeof shortcuts }) {
  const { route } = useLocation();
  const { name, run } = shortcuts[of];
  const about = words.value[name];
  return (
    <button
      type="button"
      class="small quiet shortcut"
      title={about}
      aria-label={about}
      disabled={!connection.isWorking}
      onClick={() => void run(route)}
    >
      {of === "connect" ? <Icon name="copy" /> : "1 min"}
    </button>
  );
}
