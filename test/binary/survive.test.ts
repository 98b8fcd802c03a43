import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { processIo } from "../../src/programs/cli/terminal/io.js";
import { launch, newPlace, type Place, QA_PAY } from "../support/binary.js";
import { PATIENCE } from "../support/patience.js";

/** The shop of examples/shop survives, and nothing of it is left behind. */

const repository = (name: string) => new URL(`../../${name}`, import.meta.url).pathname;

const { isRunning } = processIo();

let place: Place;
beforeEach(() => {
  place = newPlace();
  writeFileSync(join(place.folder, "stubborn.cjs"), "");
});
afterEach(() => place.remove());

/** The shop writes its process id, its port and the address of the service each time it is started. */
function survive(...flags: readonly string[]) {
  const doors = ["--buy", "/buy", "--orders", "/orders"];
  const node = `node --require ./stubborn.cjs ${repository("examples/shop/shop.mjs")} orders.json`;
  const shop = ["sh", "-c", `echo $$ $PORT $QA_PAY_BASE_URL >> starts; exec ${node}`];
  return launch(place, [...QA_PAY, "survive", "--json", "--seed", "the example", ...doors, ...flags, "--", ...shop]);
}

/** The lines that the shop wrote at each start. */
const starts = () => readFileSync(join(place.folder, "starts"), "utf8").trim().split("\n");
const pids = () => starts().map((line) => Number.parseInt(line, 10));

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket
      .on("error", () => resolve(false))
      .on("connect", () => {
        socket.destroy();
        resolve(true);
      });
  });
}

/** The processes of the shop that still run, and the ports of the shop and of the service that somebody still listens to. */
async function left() {
  const ports = new Set(starts().flatMap((line) => [line.split(" ")[1], line.split(":").at(-1)].map(Number)));
  const open = await Promise.all([...ports].map(async (port) => ((await isOpen(port)) ? [port] : [])));
  return { processes: pids().filter(isRunning), ports: open.flat() };
}

test("the example survives each fault, a kill too, and ends with the command", async () => {
  const { code, out, err } = await survive("--schedules", "12", "--restart").ended;
  expect(code, err).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ schedules: 12, survived: 12, failures: [] });
  expect(starts().length).toBeGreaterThan(1);
  expect(await left()).toEqual({ processes: [], ports: [] });
});

test("SIGINT ends the shop too, and reports what was found until then", async () => {
  const { child, ended } = survive("--schedules", "100000");
  await vi.waitUntil(() => existsSync(join(place.folder, "orders.json")), PATIENCE);
  child.kill("SIGINT");
  expect(JSON.parse((await ended).out)).toMatchObject({ failures: [] });
  expect(await left()).toEqual({ processes: [], ports: [] });
});

test("SIGTERM again and again leaves nothing of a shop that does not want to end", async () => {
  writeFileSync(join(place.folder, "stubborn.cjs"), 'process.on("SIGTERM", () => undefined);');
  const { child, ended } = survive("--schedules", "100000");
  await vi.waitUntil(() => existsSync(join(place.folder, "orders.json")), PATIENCE);
  expect((await left()).ports).toHaveLength(2);
  // Two that come at once count as one, so it is sent until the command has ended.
  await vi.waitUntil(() => !child.kill("SIGTERM") || child.exitCode !== null || child.signalCode !== null, PATIENCE);
  await ended;
  await expect.poll(left, PATIENCE).toEqual({ processes: [], ports: [] });
});
