import { beforeAll, describe, expect, it } from "vitest";
import { prefixBehind } from "../../../src/base/kernel/nouns.js";
import { operations } from "../../../src/programs/cli/tree/command-tree.js";
import { userOf } from "../../support/access.js";
import type { Loose } from "../../support/emulator.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Addresses of console and checkout pages are taken in place of ids. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);
let charge: Loose;
let raw: string;

beforeAll(async () => {
  charge = await emulator.charge();
  raw = charge.id.slice(3);
});

/** The path and query of a command's request. */
async function asked(...words: string[]): Promise<string> {
  const { code, out, err } = await cli.run([...words, "--dry-run", "--json"]);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out).url.slice(emulator.url.length);
}

async function refused(...words: string[]): Promise<string> {
  const { code, out, err } = await cli.run(words);
  expect([code, out]).toEqual([2, ""]);
  return err;
}

const at = (path: string) => `${emulator.url}${path}`;

describe("an address of a page is taken as the id in it", () => {
  it("of the checkout page, as the service returns it", async () => {
    expect(charge.checkout_url).toMatch(/\/checkout\/[0-9a-f-]{36}\?k=/);
    const { code, out } = await cli.run(["charges", "get", charge.checkout_url, "--json"]);
    expect([code, JSON.parse(out).id]).toEqual([0, charge.id]);
  });

  it.each([
    ["/checkout/RAW?k=secret", "charges get", "/v1/charges/ch_RAW"],
    ["/checkout/RAW?k=secret", "payments get", "/v1/payments/tx_RAW"],
    ["/card/RAW?k=secret", "payments get", "/v1/payments/tx_RAW"],
    ["/boleto/RAW.pdf?k=secret", "payments get", "/v1/payments/tx_RAW"],
    ["/receipt/RAW.pdf?signature=secret", "payments get", "/v1/payments/tx_RAW"],
    ["/qr/RAW.png", "charges get", "/v1/charges/ch_RAW"],
    ["/console/charges/ch_RAW?tab=money", "charges get", "/v1/charges/ch_RAW"],
    ["/console/charges/ch_RAW", "payments refunds", "/v1/payments/tx_RAW/refunds"],
    ["/console/payments/tx_RAW", "sandbox pay", "/_sandbox/charges/ch_RAW/pay"],
    [
      "/console/deliveries/wd_RAW?attempt=3",
      "sandbox deliveries resend",
      "/_sandbox/webhooks/deliveries/wd_RAW/resend",
    ],
    ["/console/med/med_RAW/", "med get", "/v1/med/cases/med_RAW"],
    ["/console/payouts/po_RAW", "sandbox payouts pay", "/_sandbox/payouts/po_RAW/pay"],
    ["/console/go/med_RAW", "med get", "/v1/med/cases/med_RAW"],
  ])("%s of %s", async (address, command, path) => {
    expect(await asked(...command.split(" "), at(address.replace("RAW", raw)))).toBe(path.replace("RAW", raw));
  });

  it("in a flag that names an object", async () => {
    expect(await asked("med", "list", "--charge-id", charge.checkout_url)).toBe(`/v1/med/cases?charge_id=${charge.id}`);
    expect(await asked("trigger", "charge.expired", "--charge", charge.checkout_url)).toContain(charge.id);
  });

  it("with localhost for 127.0.0.1, and in the quotes of a mail", async () => {
    const there = charge.checkout_url.replace("127.0.0.1", "localhost");
    expect(await asked("charges", "get", `<${there}>`)).toBe(`/v1/charges/${charge.id}`);
  });

  it("and text of a field that is no id stays as it is", async () => {
    const url = at(`/console/charges/${charge.id}`);
    const { out } = await cli.run([
      "webhooks",
      "endpoints",
      "create",
      "--url",
      url,
      "--events",
      "charge.paid",
      "--dry-run",
      "--json",
    ]);
    expect(JSON.parse(out).body.url).toBe(url);
  });
});

describe("an address is refused before anything is sent", () => {
  it("when it is of another host, with the id that works alone", async () => {
    const other = `https://pay.example/console/charges/${charge.id}`;
    const err = await refused("sandbox", "pay", other);
    expect(err).toContain(`The address belongs to https://pay.example, but this command uses ${emulator.url}.`);
    expect(err).toContain(`use it alone: ${charge.id}.`);
    expect((await emulator.call("GET", `/v1/charges/${charge.id}`)).body.status).toBe("pending");
  });

  it("when it shows an object of another kind", async () => {
    const err = await refused("charges", "get", at(`/console/deliveries/wd_${raw}`));
    expect(err).toContain("is the address of deliveries, but this command takes one of charges.");
  });

  it.each(["/console", "/console/charges", "/v1/charges/ch_1", "/checkout/nonsense", "/"])(
    "when %s is no page of one object",
    async (path) => {
      expect(await refused("charges", "get", at(path))).toContain("is not the address of a page that shows an object");
    },
  );
});

it("the control interface takes an address in its paths, and /v1 does not", async () => {
  const paid = await emulator.charge();
  const id = encodeURIComponent(paid.checkout_url);
  expect((await emulator.call("GET", `/v1/charges/${id}`)).status).toBe(404);
  const { status, body } = await emulator.call("POST", `/_sandbox/charges/${id}/pay`, { body: {} });
  expect([status, body.charge.id, body.charge.status]).toEqual([200, paid.id, "paid"]);
});

describe("an id is taken in every form that a person has at hand", () => {
  it.each([
    ["payments get", "ch_RAW", "/v1/payments/tx_RAW"],
    ["payments refunds", "ch_RAW", "/v1/payments/tx_RAW/refunds"],
    ["payments cancel", "ch_RAW", "/v1/payments/tx_RAW/cancel"],
    ["payments refund", "ch_RAW", "/v1/payments/tx_RAW/refund"],
    ["payments receipt", "ch_RAW", "/v1/payments/tx_RAW/receipt"],
    ["payments provider-status", "ch_RAW", "/v1/payments/tx_RAW/provider-status"],
    ["payments resend-webhook", "ch_RAW", "/v1/payments/tx_RAW/resend-webhook"],
    ["payments get", "RAW", "/v1/payments/RAW"],
    ["charges get", "tx_RAW", "/v1/charges/ch_RAW"],
    ["charges get", "RAW", "/v1/charges/RAW"],
    ["med get", "RAW", "/v1/med/cases/med_RAW"],
    ["med evidence list", "RAW", "/v1/med/cases/med_RAW/evidence"],
    ["webhooks endpoints delete", "RAW", "/v1/webhooks/endpoints/we_RAW"],
    ["sandbox refunds get", "RAW", "/_sandbox/refunds/rf_RAW"],
    ["sandbox deliveries get", "RAW", "/_sandbox/webhooks/deliveries/wd_RAW"],
    ["sandbox timeline", "RAW", "/_sandbox/timeline/RAW"],
    ["med list --charge-id", "RAW", "/v1/med/cases?charge_id=ch_RAW"],
    ["med list --charge-id", "tx_RAW", "/v1/med/cases?charge_id=ch_RAW"],
    ["med list --starting-after", "RAW", "/v1/med/cases?starting_after=med_RAW"],
    ["charges list --starting-after", "RAW", "/v1/charges?starting_after=ch_RAW"],
    ["charges list --starting-after", "tx_RAW", "/v1/charges?starting_after=ch_RAW"],
    ["webhooks deliveries --endpoint-id", "RAW", "/v1/webhooks/deliveries?endpointId=we_RAW"],
  ])("%s %s", async (command, id, path) => {
    const words = command.split(" ");
    expect(await asked(...words, id.replace("RAW", raw))).toBe(path.replace("RAW", raw));
    expect(await asked(...words, id.replace("RAW", raw).toUpperCase())).toBe(path.replace("RAW", raw));
  });

  it.each<[string, (id: string) => string]>([
    ["a zero-width space around it", (id) => `\u200b${id}\u200b`],
    ["a zero-width space inside", (id) => id.replace("-", "-\u200b")],
    ["a word joiner", (id) => `\u2060${id}`],
    ["marks of direction", (id) => `\u200e${id}\u202c`],
    ["isolates", (id) => `\u2068${id}\u2069`],
    ["a byte order mark", (id) => `\ufeff${id}`],
    ["a soft hyphen", (id) => `${id.slice(0, 20)}\u00ad${id.slice(20)}`],
    ["backticks", (id) => `\`${id}\``],
    ["stars", (id) => `**${id}**`],
    ["underscores of Markdown", (id) => `_${id}_`],
    ["a dot behind", (id) => `${id}.`],
    ["a question mark behind", (id) => `${id}?`],
    ["brackets", (id) => `[${id}]`],
    ["quotes of other languages", (id) => `«${id}»`],
    ["hyphens that do not break", (id) => id.replaceAll("-", "\u2011")],
    ["dashes", (id) => id.replaceAll("-", "\u2013")],
    ["minus signs", (id) => id.replaceAll("-", "\u2212")],
    ["a line break inside", (id) => `${id.slice(0, 22)}\r\n${id.slice(22)}`],
  ])("with %s", async (_name, form) => {
    for (const id of [charge.id, raw]) expect(await asked("charges", "get", form(id))).toBe(`/v1/charges/${id}`);
    expect(await asked("payments", "refunds", form(charge.id))).toBe(`/v1/payments/tx_${raw}/refunds`);
    expect(await asked("sandbox", "timeline", form(charge.id))).toBe(`/_sandbox/timeline/${charge.id}`);
    expect(await asked("med", "list", "--charge-id", form(charge.id))).toBe(`/v1/med/cases?charge_id=${charge.id}`);
    expect(JSON.parse((await cli.run(["why", form(charge.id), "--json"])).out).id).toBe(charge.id);
    for (const words of [
      ["sandbox", "search", form(charge.id)],
      ["payments", "find", form(charge.id)],
    ]) {
      const [found] = JSON.parse((await cli.run([...words, "--json"])).out).data;
      expect(found.id.slice(3)).toBe(raw);
    }
  });

  it.each<[string, (code: string) => string]>([
    ["as it is", (code) => code],
    ["with blanks in it", (code) => code.replace(/.{20}/g, "$& ")],
    ["broken into lines", (code) => code.replace(/.{40}/g, "$&\r\n")],
    ["quoted in an answer to a mail", (code) => `> ${code.replace(/.{60}/g, "$&\n> ")}`],
    ["in quotes", (code) => `“${code}”`],
    ["in stars, with words in front of it", (code) => `Pix copia e cola: *${code}*`],
    ["with unseen characters in it", (code) => code.replace(/.{30}/g, "$&\u200b")],
    ["as the address of its payload", (code) => /pix\.qa-pay\.test\/qr\/v2\/[0-9a-f]{32}/.exec(code)?.[0] ?? ""],
    ["as the digits of its payload", () => raw.replaceAll("-", "")],
    ["as those digits in capitals, with blanks", () => raw.replaceAll("-", " ").toUpperCase()],
  ])("as the Pix code of the charge, %s", async (_name, form) => {
    const code = form(charge.pix.br_code);
    expect(await asked("payments", "get", code)).toBe(`/v1/payments/${raw}`);
    expect(await asked("sandbox", "timeline", code)).toBe(`/_sandbox/timeline/${raw}`);
    expect(JSON.parse((await cli.run(["why", code, "--json"])).out).code).toBe("waiting_for_payer");
    for (const words of [
      ["sandbox", "search", code],
      ["payments", "find", code],
    ]) {
      const [found] = JSON.parse((await cli.run([...words, "--json"])).out).data;
      expect(found.id.slice(3)).toBe(raw);
    }
  });

  it("and the name of a snapshot is no Pix code", async () => {
    const name = raw.replaceAll("-", "");
    expect(await asked("sandbox", "snapshots", "delete", name, "--yes")).toBe(`/_sandbox/snapshots/${name}`);
  });

  it("of every kind that a path names, in capitals and without its prefix", async () => {
    const { email, password } = userOf(emulator);
    await cli.run(["login", "--email", email, "--password-stdin"], { input: password });
    for (const { command, path, arguments: all, flags, oneOf, method } of operations) {
      const needed = flags.filter(({ required, name }) => required || oneOf.includes(name));
      if (all.length !== 1 || needed.length > 0 || method === "PUT" || all[0]?.field !== undefined) continue;
      const prefix = prefixBehind(path.split("/").at(path.split("/").indexOf(`{${all[0]?.name}}`) - 1) ?? "");
      if (prefix === null) continue;
      const isBare = prefix !== "ch_" && prefix !== "tx_";
      for (const id of [`${prefix}${raw}`.toUpperCase(), ...(isBare ? [raw] : [])]) {
        const sent = await asked(...command.split(" "), id, "--yes");
        expect([command, sent]).toEqual([command, path.replace(/\{\w+\}/, `${prefix}${raw}`)]);
      }
    }
  });

  it("two ids of a command each get their prefix", async () => {
    expect(await asked("med", "evidence", "complete", raw, raw)).toBe(
      `/v1/med/cases/med_${raw}/evidence/ev_${raw}/complete`,
    );
  });

  it("and a text that is no id is sent as it is", async () => {
    expect(await asked("payments", "get", "ch_None")).toBe("/v1/payments/ch_None");
    expect(await asked("sandbox", "snapshots", "delete", "Before", "--yes")).toBe("/_sandbox/snapshots/Before");
  });
});
