import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { newPlace, run, serve } from "../support/binary.js";
import { freePort } from "../support/free-port.js";

/** The services of examples/compose as two processes, each of which knows the other by its name. */

interface Service {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const { services } = parse(readFileSync("examples/compose/compose.yaml", "utf8")) as {
  services: { readonly "qa-pay": Service; readonly shop: Service };
};
const NAMES = {
  NAMES_OF_TEST: "qa-pay,shop",
  NODE_OPTIONS: `--import=${new URL("../support/names.mjs", import.meta.url)}`,
};

it("the shop of the compose example is notified of a payment, and each reaches the other by its name alone", async () => {
  const place = newPlace();
  onTestFinished(place.remove);
  const shopPort = await freePort();
  const [first, ...words] = services["qa-pay"].command;
  expect(first).toBe("serve");
  Object.assign(place.env, NAMES, services["qa-pay"].environment);
  const pay = await serve(
    place,
    words.map((word) => word.replace("shop:3000", `shop:${shopPort}`)),
  );
  onTestFinished(async () => void (await pay.stop()));
  expect(pay.ready.forward.url).toBe(`http://shop:${shopPort}/webhooks`);

  const { port } = new URL(pay.url);
  const env = { ...services.shop.environment, QA_PAY_BASE_URL: `http://qa-pay:${port}`, PORT: String(shopPort) };
  const [program = "", script = ""] = services.shop.command;
  expect([program, script, services.shop.environment.QA_PAY_BASE_URL]).toEqual([
    ...["node", "/compose/shop.mjs", "http://qa-pay:4600"],
  ]);
  const shop = spawn(process.execPath, ["examples/compose/shop.mjs"], { env: { ...process.env, ...NAMES, ...env } });
  onTestFinished(() => void shop.kill());
  const page = (path: string, method = "GET") =>
    fetch(`http://127.0.0.1:${shopPort}${path}`, { method, redirect: "manual" });
  const isThere = () =>
    page("/").then(
      ({ status }) => status,
      () => null,
    );
  await expect.poll(isThere).toBe(200);

  const { headers, status } = await page("/orders", "POST");
  expect(status).toBe(303);
  const order = headers.get("location") ?? "";
  const [charge = ""] = /ch_[0-9a-f-]+/.exec(await (await page(order)).text()) ?? [];
  const key = { QA_PAY_BASE_URL: pay.url, QA_PAY_API_KEY: services.shop.environment.QA_PAY_API_KEY ?? "" };
  expect(await run(place, ["sandbox", "pay", charge, "--json"], { env: key })).toMatchObject({ code: 0 });
  await expect.poll(async () => (await page(order)).text()).toContain("Paid. Thank you!");
});
