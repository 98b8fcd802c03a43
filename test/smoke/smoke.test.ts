import { afterEach, expect, it } from "vitest";
import { ask, newPlace, run, type Server, serve } from "../support/binary.js";
import { fresh, freshReceiver } from "../support/shared.js";
import { hmac, signatureParts } from "../support/webhooks.js";

/** The built command in its everyday use. Everything else that only a process can show: test/binary. */

const place = fresh(newPlace);
const receiver = freshReceiver();
let server: Server | undefined;

afterEach(async () => {
  server?.signal("SIGKILL");
  await server?.ended;
  server = undefined;
});

it("a charge is created, paid and reported to the receiver; a killed server has it when it is started again", async () => {
  server = await serve(place, ["--forward-to", receiver.url, "--events", "charge.paid"]);
  const { test_key: key, forward } = server.ready;
  const env = { QA_PAY_BASE_URL: server.url, QA_PAY_API_KEY: key };
  const created = await run(place, ["charges", "create", "--amount", "1990", "--json"], { env });
  expect([created.code, created.err]).toEqual([0, expect.stringMatching(/^Idempotency-Key: \S+\n$|^$/)]);
  const { id } = JSON.parse(created.out);
  expect((await run(place, ["sandbox", "pay", id, "--json"], { env })).code).toBe(0);
  await receiver.waitFor(1);
  const [event] = receiver.received;
  const { t, v1 } = signatureParts(event?.headers["x-qa-signature"]);
  expect([event?.body.data.object.id, v1]).toEqual([id, hmac(forward.secret, `${t}.${event?.raw}`)]);

  server.signal("SIGKILL");
  await server.ended;
  server = await serve(place);
  expect((await ask(server, key, "GET", `/v1/charges/${id}`)).body).toMatchObject({ status: "paid", amount: 1990 });
  const { code, err } = await server.stop();
  expect([code, err]).toEqual([0, ""]);
});

it("a command ends with 2 for a wrong command line, and with 7 where no server answers", async () => {
  const wrong = await run(place, ["charges", "create", "--json"]);
  expect([wrong.code, wrong.out]).toEqual([2, ""]);
  expect(JSON.parse(wrong.err)).toMatchObject({ error: { code: "usage" } });
  const nobody = ["--base-url", "http://127.0.0.1:9", "--api-key", "qa_test_nobody"];
  const lost = await run(place, ["wallets", "list", ...nobody]);
  expect([lost.code, lost.out]).toEqual([7, ""]);
});

it("--help is answered, and exec ends with the code of its program, which has a service", async () => {
  const help = await run(place, ["charges", "create", "--help"]);
  expect([help.code, help.err, help.out]).toEqual([0, "", expect.stringContaining("--amount")]);
  const script = `fetch(process.env.QA_PAY_BASE_URL + "/v1/wallets", { headers: { apikey: process.env.QA_PAY_API_KEY } })
    .then(({ status }) => process.exit(status === 200 ? 9 : 1));`;
  const ended = await run(place, ["exec", "--", process.execPath, "-e", script]);
  expect([ended.code, ended.out, ended.err]).toEqual([9, "", ""]);
});
