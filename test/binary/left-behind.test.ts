import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { processIo } from "../../src/programs/cli/terminal/io.js";
import { launch, newPlace, QA_PAY } from "../support/binary.js";
import { PATIENCE } from "../support/patience.js";
import { fresh } from "../support/shared.js";
import { writeSmallShop } from "../support/small-shop.js";

/** A process that a program of `exec`, `survive` or `rush` leaves running does not hold the command. */

const place = fresh(newPlace);
const { isRunning } = processIo();
const DOORS = ["--buy", "/buy", "--orders", "/orders"];

const noted = () => {
  try {
    return readFileSync(join(place.folder, "pids"), "utf8").trim().split("\n").map(Number);
  } catch {
    return [];
  }
};
afterEach(() => {
  for (const pid of noted().filter(isRunning)) process.kill(pid, "SIGKILL");
});

const NOTE = `const note = (pid) => require("node:fs").appendFileSync("pids", pid + "\\n");\n`;

/** Starts a process of a group of its own that keeps these outputs open, and ignores the signals to end. */
const DAEMON = `${NOTE}
const stay = 'for (const name of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(name, () => {}); setInterval(() => {}, 60000);';
const daemon = require("node:child_process").spawn(process.execPath, ["-e", stay], { detached: true, stdio: "inherit" });
daemon.unref();
note(daemon.pid);
`;

/** The small shop, which leaves a daemon behind at each start. */
function shopWithDaemon(): readonly string[] {
  const [node, file] = writeSmallShop(place.folder);
  writeFileSync(file, `${DAEMON}${readFileSync(file, "utf8")}`);
  return ["--", node, file];
}

const start = (words: readonly string[]) => launch(place, [...QA_PAY, ...words]);

describe("a daemon of the shop that keeps its outputs", () => {
  it("does not hold survive when its result is reported", async () => {
    const words = ["survive", ...DOORS, "--faults", "duplicate", "--schedules", "1", "--json", ...shopWithDaemon()];
    const { code, out } = await start(words).ended;
    expect([code, JSON.parse(out).survived]).toEqual([0, 1]);
    expect(noted().filter(isRunning)).toHaveLength(1);
  });

  it("does not hold rush", async () => {
    const words = ["rush", ...DOORS, "--rate", "5", "--for", "1s", "--think", "0s", "--json", ...shopWithDaemon()];
    const { code, out } = await start(words).ended;
    expect([code, JSON.parse(out).differences]).toEqual([0, []]);
    expect(noted().filter(isRunning)).toHaveLength(1);
  });

  it("does not hold a command that lists the orders", async () => {
    writeFileSync(
      join(place.folder, "orders.cjs"),
      `${DAEMON} fetch("http://127.0.0.1:" + process.env.PORT + "/orders").then((one) => one.text()).then(console.log);`,
    );
    const orders = `'${process.execPath}' orders.cjs`;
    const few = ["--faults", "refund", "--schedules", "1", "--settle", "10s", "--json"];
    const words = ["survive", "--buy", "/buy", "--orders", orders, ...few, "--", ...writeSmallShop(place.folder)];
    const { code, out } = await start(words).ended;
    expect([code, JSON.parse(out).survived]).toEqual([0, 1]);
  });
});

it("nobody who reads standard error is needed for the result of survive", async () => {
  const words = [
    "survive",
    ...DOORS,
    "--faults",
    "duplicate",
    "--schedules",
    "1",
    "--",
    ...writeSmallShop(place.folder),
  ];
  const { child, ended } = start(words);
  child.stderr.destroy();
  const { code, out } = await ended;
  expect([code, out]).toEqual([0, expect.stringContaining("1 of 1 fault survived.")]);
});

describe("a signal to exec", () => {
  const HEARS = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"] as const;
  const program = (body: string) => {
    writeFileSync(
      join(place.folder, "script.cjs"),
      `${NOTE} note(process.pid); ${body}
      setInterval(() => {}, 60000); console.log("ready");`,
    );
    return ["exec", "--", process.execPath, "script.cjs"];
  };

  it.each(HEARS)("%s is passed on, and the program is waited for", async (name) => {
    const body = `process.on("${name}", () => setTimeout(() => process.exit(9), 100));`;
    const running = start(program(body));
    await running.says(/ready/);
    running.signal(name);
    expect((await running.ended).code).toBe(9);
    expect(noted().filter(isRunning)).toEqual([]);
  });

  it("one that ends the program is its exit code", async () => {
    const running = start(program(""));
    await running.says(/ready/);
    running.signal("SIGQUIT");
    expect((await running.ended).code).toBe(131);
  });

  it("the second one ends a program that does not want to end", async () => {
    const deaf = HEARS.map((name) => `process.on("${name}", () => console.log("no"));`).join("");
    const running = start(program(deaf));
    await running.says(/ready/);
    running.signal("SIGTERM");
    await running.says(/no/);
    running.signal("SIGHUP");
    expect((await running.ended).code).toBe(137);
    expect(noted().filter(isRunning)).toEqual([]);
  });

  it("ends it while it waits for a receiver, when the program has ended", async () => {
    const hanging = `${NOTE} note(process.pid);
      const server = require("node:http").createServer(() => console.log("asked")).listen(0, "127.0.0.1", () => {
        const headers = { apikey: process.env.QA_PAY_API_KEY, "content-type": "application/json", "idempotency-key": "a key of mine" };
        const url = "http://127.0.0.1:" + server.address().port;
        const post = (path, body) => fetch(process.env.QA_PAY_BASE_URL + path, { method: "POST", headers, body: JSON.stringify(body) });
        post("/v1/webhooks/endpoints", { url, events: ["charge.created"] }).then(() => post("/v1/charges", { amount: 5, payment_method: "pix" })).then(() => process.disconnect());
      });`;
    writeFileSync(join(place.folder, "hanging.cjs"), hanging);
    const body = `require("node:child_process").fork("hanging.cjs", { detached: true }).on("disconnect", () => process.exit(0));`;
    const [name = "", ...rest] = program(body);
    const running = start([name, "--assert", "every delivery 2xx", ...rest]);
    await running.says(/asked/);
    // The program, which has noted itself first. Its receiver lives on.
    await expect.poll(() => isRunning(noted()[0] ?? 0), PATIENCE).toBe(false);
    const exit = once(running.child, "exit");
    // The system shows a program as ended a little before its parent is informed: a signal of that instant goes to the program.
    const signals = setInterval(() => running.signal("SIGTERM"), 50);
    expect((await exit)[0]).toBe(143);
    clearInterval(signals);
  });
});
