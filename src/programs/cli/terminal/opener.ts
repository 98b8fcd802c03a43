import { spawn } from "node:child_process";
import type { Words } from "../../../base/kernel/wording.js";
import type { Io } from "./io.js";
import { localized } from "./terminal-text.js";

/** The program of each platform that opens a file or an address with its usual application. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  // Without `cmd`, which would take an `&` in the name for the end of the command.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens a file or an address with its usual application. If that cannot be started, prints this and what to do `instead`. */
export async function openWith(
  { platform, env, err }: Pick<Io, "platform" | "env" | "err">,
  what: string,
  instead: Words,
): Promise<void> {
  const [program, ...args] = OPENERS[platform] ?? ["xdg-open"];
  const opened = spawn(program, [...args, what], { detached: true, stdio: "ignore", env: { ...env } });
  opened.unref();
  const isStarted = await new Promise<boolean>((done) => {
    opened.on("spawn", () => done(true));
    opened.on("error", () => done(false));
  });
  if (!isStarted) err(localized`${program} is not there to open ${instead}\n`);
}

/** Opens the console of a server that was just started, where somebody would see it. Its address is printed in any case. */
export async function openConsole(io: Pick<Io, "isScreen" | "platform" | "env" | "err">, url: string): Promise<void> {
  if (hasBrowser(io)) await openWith(io, url, "a browser. Open the address of the console yourself.");
}

/** True if there is a person who looks at this terminal and a desktop with a browser. */
export function hasBrowser({ isScreen, platform, env }: Pick<Io, "isScreen" | "platform" | "env">): boolean {
  if (!isScreen) return false;
  return platform === "darwin" || platform === "win32" || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}
