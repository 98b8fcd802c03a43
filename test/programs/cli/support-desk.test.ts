import { beforeAll, describe, expect, it } from "vitest";
import { DOCUMENTS } from "../../support/charges.js";
import { type Host, startHost } from "../../support/running.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** One payment for the support desk, as far as `/v1` has it. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);
let id: string;

beforeAll(async () => {
  const customer = { name: "Maria Silva", document: DOCUMENTS.cpf };
  id = (await emulator.charge({ customer, expected_payer_tax_id: DOCUMENTS.cpf })).id;
});

/** The lines of an object by their heads. */
async function shown(...words: string[]): Promise<Record<string, string>> {
  const { code, out, err } = await cli.run([...words, "--utc"]);
  expect([code, err]).toEqual([0, ""]);
  return Object.fromEntries(
    out.split("\n").map((line) => [line.split(/ {2,}/)[0] ?? "", line.split(/ {2,}/)[1] ?? ""]),
  );
}

describe("a charge and its payment", () => {
  it("show who pays, the document but for its middle hidden, and nothing of a payment that has not come", async () => {
    const charge = await shown("charges", "get", id);
    expect(charge).toMatchObject({
      Customer: "Maria Silva",
      Document: "***.982.247-**",
      "Expected payer": "***.982.247-**",
    });
    expect(charge).not.toHaveProperty("Paid");
    expect(await shown("payments", "get", id.replace("ch_", "tx_"))).toMatchObject({ Document: "***.982.247-**" });
  });

  it("show both when it was paid and the end-to-end id, once it is paid", async () => {
    await emulator.sandbox(`/charges/${id}/pay`);
    const { settlement } = (await emulator.call("GET", `/v1/charges/${id}`)).body;
    const told = { Paid: expect.stringMatching(/^\d{4}-\d\d-\d\d /), "End-to-end id": settlement.end_to_end_id };
    expect(await shown("charges", "get", id)).toMatchObject(told);
    expect(await shown("payments", "get", id.replace("ch_", "tx_"))).toMatchObject(told);
    expect((await cli.run(["charges", "get", id])).out).not.toContain(DOCUMENTS.cpf);
  });

  it("are read once with --json and --quiet, and --json has the whole document", async () => {
    const { out } = await cli.run(["charges", "get", id, "--json"]);
    expect(JSON.parse(out)).toEqual((await emulator.call("GET", `/v1/charges/${id}`)).body);
    expect((await cli.run(["charges", "get", id, "--quiet"])).out).not.toContain("Paid");
  });

  it("are shown without each other when one of them cannot be read", async () => {
    const { body } = await emulator.call("GET", `/v1/charges/${id}`);
    const host = await startHost(({ url }, outgoing) => {
      const isCharge = url?.startsWith("/v1/charges/") === true;
      const refusal = { error: { type: "not_found_error", code: "not_found", message: "No." }, request_id: "req_1" };
      outgoing.writeHead(isCharge ? 200 : 404, { "content-type": "application/json" });
      outgoing.end(JSON.stringify(isCharge ? body : refusal));
    });
    const { code, out, err } = await cli.run(["charges", "get", id, "--base-url", host.url, "--api-key", emulator.key]);
    await host.close();
    expect([code, out]).toEqual([0, expect.stringContaining("Maria Silva")]);
    expect(err).toContain(
      `More could not be read: No. (not_found) Try that command alone: qa-pay payments get tx_${id.slice(3)} --base-url ${host.url} --api-key "$QA_PAY_API_KEY"\n`,
    );
  });
});

describe("charges list where the service does not serve it", () => {
  it("says what lists charges, and on this machine how to try the route", async () => {
    const { code, err } = await cli.run(["charges", "list"]);
    expect([code, err]).toEqual([4, expect.stringContaining("`qa-pay payments list` lists charges too. To try")]);
    expect(err).toContain("`qa-pay serve --preview charge-list`");
  });

  it("says nothing of the emulator's flag on another host", async () => {
    const host: Host = await startHost((_request, outgoing) => {
      const refusal = { error: { type: "not_found_error", code: "not_found", message: "No." }, request_id: "req_1" };
      outgoing.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(refusal));
    });
    const url = host.url.replace("127.0.0.1", "0.0.0.0");
    const { code, err } = await cli.run(["charges", "list", "--base-url", url, "--api-key", emulator.key]);
    await host.close();
    expect([code, err]).toEqual([4, expect.stringContaining("`qa-pay payments list` lists charges too.\n")]);
    expect(err).not.toContain("--preview");
  });
});
