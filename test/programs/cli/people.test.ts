import { stripVTControlCharacters } from "node:util";
import jsqr from "jsqr";
import { describe, expect, it } from "vitest";
import { parseAmount } from "../../../src/base/kernel/money.js";
import { openCase } from "../../support/med.js";
import { startHost } from "../../support/running.js";
import { ownEmulator, sharedCli, sharedEmulator } from "../../support/shared.js";

/** Outputs and questions for a person at a terminal; programs get neither. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);

/** Decodes a QR code of block characters, as a camera sees light characters on a dark screen. */
function scan(out: string): string | undefined {
  const lines = out.split("\n").filter((line) => line.includes("█"));
  const width = Math.max(...lines.map((line) => line.length));
  const scale = 4;
  const side = [width * scale, lines.length * 2 * scale] as const;
  const pixels = new Uint8ClampedArray(side[0] * side[1] * 4).fill(255);
  for (let y = 0; y < side[1]; y++) {
    for (let x = 0; x < side[0]; x++) {
      const module = Math.floor(y / scale);
      const block = lines[Math.floor(module / 2)]?.[Math.floor(x / scale)] ?? " ";
      const light = block === "█" || block === (module % 2 === 0 ? "▀" : "▄");
      pixels.fill(light ? 255 : 0, (y * side[0] + x) * 4, (y * side[0] + x) * 4 + 3);
    }
  }
  return jsqr.default(pixels, side[0], side[1])?.data;
}

const terminal = { answers: [] };

describe("a charge on a terminal", () => {
  it("is shown with a code that can be scanned and copied while the charge can be paid", async () => {
    const charge = await emulator.charge();
    for (const flags of [[], ["--no-color"]]) {
      const { code, out } = await cli.run(["charges", "get", charge.id, ...flags], terminal);
      expect(code).toBe(0);
      expect(scan(stripVTControlCharacters(out))).toBe(charge.pix.br_code);
      expect(out).toContain(`\n${charge.pix.br_code}\n`);
      expect(out.includes("\u001b[97;40m")).toBe(flags.length === 0);
    }
    const payment = await cli.run(["payments", "get", charge.id.replace("ch_", "tx_")], terminal);
    expect(payment.out).toContain("█");
    expect(payment.out.split(charge.pix.br_code)).toHaveLength(2);
    const created = await cli.run(["charges", "create", "--amount", "500"], terminal);
    expect(scan(stripVTControlCharacters(created.out))).toMatch(/^000201.*54045\.00/);
  });

  it("is shown with the timeline of its status", async () => {
    const { id } = await emulator.charge();
    await emulator.sandbox("/clock/advance", { seconds: 60 });
    await emulator.sandbox(`/charges/${id}/pay`, {});
    await emulator.sandbox("/clock/advance", { seconds: 60 });
    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ`;
    const charge = await cli.run(["charges", "get", id, "--utc"], terminal);
    expect(charge.out).toMatch(new RegExp(`\\n\\n${time}  • pending\\n${time}  ✓ paid\\n$`));
    const payment = await cli.run(["payments", "get", id.replace("ch_", "tx_"), "--utc"], terminal);
    expect(payment.out).toMatch(new RegExp(`\\n\\n${time}  • WAITING_PAYMENT\\n${time}  ✓ PAID\\n$`));
  });

  it("is shown without picture and timeline in a pipe, with --quiet and with --json", async () => {
    const { id } = await emulator.charge();
    const bare = await cli.run(["charges", "get", id]);
    expect(bare.out).not.toContain("█");
    expect((await cli.run(["charges", "get", id], { ...terminal, isScreen: false })).out).toBe(bare.out);
    expect((await cli.run(["charges", "get", id, "--quiet"], { ...terminal, columns: 200 })).out).toBe(bare.out);
    const json = await cli.run(["charges", "get", id, "--json"], terminal);
    expect(JSON.parse(json.out).id).toBe(id);
  });

  it("is shown without the picture when the screen is too narrow", async () => {
    const { id, pix } = await emulator.charge();
    const { out } = await cli.run(["charges", "get", id], { ...terminal, columns: 40 });
    expect(out).not.toContain("█");
    expect(out).toContain(pix.br_code);
  });

  it("of a service that is not an emulator is shown with the service's own data", async () => {
    const paths: string[] = [];
    const body = { id: "tx_1", status: "PAID", createdAt: "2026-01-02T03:04:05Z", paidAt: "2026-01-02T03:05:06Z" };
    const host = await startHost((request, response) => {
      paths.push(request.url ?? "");
      const known = request.url?.startsWith("/v1/") ?? false;
      response.writeHead(known ? 200 : 404).end(known ? JSON.stringify(body) : "<h1>404</h1>");
    });
    const env = { QA_PAY_BASE_URL: host.url };
    const { code, out } = await cli.run(["payments", "get", "tx_1", "--utc"], { ...terminal, env });
    await host.close();
    expect(code).toBe(0);
    expect(out).toContain("\n\n2026-01-02 03:04:05Z  • created\n2026-01-02 03:05:06Z  ✓ paid\n");
    expect(paths).toEqual(["/v1/payments/tx_1", expect.stringMatching(/^\/_sandbox\//), "/v1/payments/tx_1/refunds"]);
  });
});

describe("sandbox pay of a charge that takes no payment", () => {
  it.each([
    ["is paid already", "pay", "paid"],
    ["has expired", "expire", "expired"],
  ])("says that the money goes back when the charge %s", async (_what, move, status) => {
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/${move}`, {});
    const paying = ["sandbox", "pay", id];
    const told = `The money goes back to the payer, because the charge is ${status}. `;
    const { code, out, err } = await cli.run(paying);
    expect([code, out]).toEqual([0, expect.stringContaining("✗ returned")]);
    expect(err).toBe(`${told}Only an open charge takes a payment, before it expires and with exactly its amount.\n`);
    expect((await cli.run([...paying, "--quiet"])).err).toBe("");
    expect((await cli.run([...paying, "--json"])).err).toBe("");
  });

  it("says so for another amount too, and says nothing when the charge is paid", async () => {
    const { id } = await emulator.charge();
    const other = await cli.run(["sandbox", "pay", id, "--amount", "1"]);
    expect(other.err).toContain("with exactly its amount");
    expect((await cli.run(["sandbox", "pay", id])).err).toBe("");
  });
});

it("sandbox survive of an emulator without a run says how to start one, to a person alone", async () => {
  const asked = ["sandbox", "survive"];
  const { code, out, err } = await cli.run(asked, { program: "npx qa-pay" });
  expect([code, out]).toEqual([0, expect.stringMatching(/^State +none$/m)]);
  expect(err).toContain(": npx qa-pay survive --buy /buy --orders /orders -- node shop.js\n");
  expect((await cli.run([...asked, "--quiet"])).err).toBe("");
  expect((await cli.run([...asked, "--json"])).err).toBe("");
});

it("times are local times, or UTC on request", async () => {
  const { id, created_at } = await emulator.charge();
  const utc = `${created_at.slice(0, 10)} ${created_at.slice(11, 19)}Z`;
  expect((await cli.run(["charges", "get", id, "--utc"])).out).toContain(utc);
  expect((await cli.run(["payments", "list", "--utc"])).out).toContain(utc);
  expect((await cli.run(["payments", "list"])).out).toMatch(/ \d\d:\d\d:\d\d$/m);
});

describe("--output", () => {
  it("jsonl is one object per line; the command for the next page is on standard error", async () => {
    const { body } = await emulator.call("GET", "/v1/payments?limit=2");
    const { code, out, err } = await cli.run(["payments", "list", "--limit", "2", "--output", "jsonl"]);
    expect(code).toBe(0);
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(body.data);
    expect(err).toBe("2 shown; for the next ones add --page 2 (--all shows every one)\n");
    expect((await cli.run(["payments", "list", "--limit", "2", "--output", "jsonl", "--quiet"])).err).toBe("");
    const wallets = await cli.run(["wallets", "list", "--output", "jsonl"]);
    expect(JSON.parse(wallets.out.split("\n")[0] ?? "")).toEqual((await emulator.call("GET", "/v1/wallets")).body[0]);
  });

  it("json is --json, table is what a person sees", async () => {
    const list = ["payments", "list", "--limit", "1"];
    expect(await cli.run([...list, "--output", "json"])).toEqual(await cli.run([...list, "--json"]));
    expect(await cli.run([...list, "--output", "table"])).toEqual(await cli.run(list));
  });

  it.each([["json"], ["jsonl"]])("%s has the error envelope too", async (form) => {
    const { code, out, err } = await cli.run(["payments", "list", "--page", "0", "--output", form]);
    expect([code, out]).toEqual([5, ""]);
    expect(JSON.parse(err).error.code).toBe("invalid_request");
  });
});

it.each([
  ["19,90", 1990],
  ["R$ 19,90", 1990],
  ["r$19,90", 1990],
  ["R$ 20", 2000],
  ["R$ 1.234,56", 123456],
  ["1.234,56", 123456],
  ["R$ 1.234", 123400],
  [" 1990 ", 1990],
  ["19.90", null],
  ["1.990", null],
  ["19,9", null],
  ["1,990", null],
  ["-5", null],
  ["", null],
  ["R$", null],
  ["1e3", null],
])("an amount that is typed %j is %j centavos", (text, centavos) => {
  expect(parseAmount(text)).toBe(centavos);
});

describe("charges create without flags", () => {
  it("asks a person, and shows how it has understood the amount", async () => {
    const asked: string[] = [];
    const answers = ["19.90", "0", "R$ 19,90", "Order 42", "Maria"];
    const { code, out, err } = await cli.run(["charges", "create"], { answers, asked });
    expect(code).toBe(0);
    expect(err).toContain("That is R$ 19,90 (1990 centavos).\n");
    expect(asked[0]).toBe("Amount (R$ 19,90 with a comma, or 1990 in centavos)");
    expect(asked[1]).toBe("Write R$ 19,90 with a comma, or the centavos alone: 1990.");
    const id = /ch_\S+/.exec(out)?.[0];
    expect((await emulator.call("GET", `/v1/charges/${id}`)).body).toMatchObject({
      amount: 1990,
      customer: { name: "Maria" },
      metadata: { description: "Order 42" },
    });
  });

  it("leaves out fields that the person leaves empty", async () => {
    const { code, out } = await cli.run(["charges", "create", "--dry-run"], { answers: ["500", "", " "] });
    expect(code).toBe(0);
    expect(JSON.parse(out.split("\n\n")[1] ?? "")).toEqual({ amount: 500, payment_method: "pix" });
  });

  it("asks no question without a terminal, with --json, or with a flag", async () => {
    for (const [words, options] of [
      [["charges", "create"], {}],
      [["charges", "create", "--json"], terminal],
      [["charges", "create", "--description", "x"], terminal],
    ] as const) {
      expect(await cli.run(words, options)).toMatchObject({
        code: 2,
        out: "",
        err: expect.stringContaining("--amount is required."),
      });
    }
  });
});

describe("an id that is left out", () => {
  it("is chosen by the person from the latest charges", async () => {
    const { id } = await emulator.charge({ amount: 424_242, customer: { name: "Picked" } });
    const asked: string[] = [];
    const { code, out } = await cli.run(["charges", "get", "--quiet"], { answers: ["Picked"], asked });
    expect([code, out]).toEqual([0, expect.stringContaining(id)]);
    expect(asked[0]).toMatch(/^Id of the charge\n/);
    expect(asked[0]).toMatch(new RegExp(`${id}  • WAITING_PAYMENT  R\\$ 4\\.242,42  PIX  Picked  `));
    const paid = await cli.run(["sandbox", "pay", "--json"], terminal);
    expect(paid.code).toBe(2);
    expect((await cli.run(["sandbox", "pay"], { answers: ["Picked"] })).out).toContain("paid");
  });

  it("is chosen from payments, cases, endpoints or snapshots in commands about them", async () => {
    const { id } = await emulator.charge();
    const payment = await cli.run(["payments", "get", "--quiet"], { answers: [id.replace("ch_", "tx_")] });
    expect(payment.out).toContain(id.slice("ch_".length));
    const opened = await openCase(emulator);
    expect((await cli.run(["med", "get"], { answers: [opened.id] })).out).toContain(opened.id);
    expect((await cli.run(["sandbox", "med", "withdraw"], { answers: [opened.id] })).code).toBe(0);
    const url = ["--url", "http://127.0.0.1:9/"];
    await cli.run(["webhooks", "endpoints", "create", ...url, "--events", "charge.paid"]);
    const asked: string[] = [];
    const removed = await cli.run(["webhooks", "endpoints", "delete"], { answers: ["127.0.0.1:9"], asked });
    expect([removed.code, asked.length]).toEqual([0, 1]);
    await cli.run(["sandbox", "snapshots", "save", "chosen"]);
    const restored = await cli.run(["sandbox", "snapshots", "restore"], { answers: ["chosen", true] });
    expect([restored.code, restored.out]).toEqual([0, expect.stringMatching(/^Snapshot +chosen$/m)]);
  });

  it("is an error when no person can be asked, or there is nothing to choose from", async () => {
    const missing = { code: 2, out: "", err: expect.stringContaining("<id> is missing: Id of the") };
    for (const words of [
      ["charges", "get"],
      ["payments", "refund"],
      ["med", "appeal", "--comment", "x"],
    ]) {
      expect(await cli.run(words)).toMatchObject({ code: 2, out: "" });
    }
    expect(await cli.run(["charges", "get"])).toMatchObject(missing);
    expect(await cli.run(["charges", "get", "--json"], terminal)).toMatchObject({ code: 2, out: "" });
    expect(await cli.run(["sandbox", "payouts", "pay"], terminal)).toMatchObject(missing);
    const empty = await ownEmulator();
    const elsewhere = { ...terminal, env: { QA_PAY_BASE_URL: empty.url, QA_PAY_API_KEY: empty.key } };
    expect(await cli.run(["charges", "get"], elsewhere)).toMatchObject(missing);
  });
});
