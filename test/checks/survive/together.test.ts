import { expect, it, onTestFinished } from "vitest";
import { realTime } from "../../../src/base/platform/real-runtime.js";
import { together } from "../../../src/checks/survive/webhook-relay.js";
import { createTransport } from "../../../src/service/delivery/transport.js";
import { startHost } from "../../support/running.js";

/** Requests that come at the same moment. */

async function hostAndTransport() {
  const seen: string[] = [];
  const host = await startHost((request, response) => {
    seen.push(request.url ?? "");
    request.resume().on("end", () => response.end());
  });
  const transport = createTransport({ real: realTime, insecureTls: true });
  onTestFinished(async () => {
    transport.close();
    await host.close();
  });
  const post = (path: string, body: Parameters<typeof transport.post>[2]) => transport.post(host.url + path, {}, body);
  return { seen, post, transport };
}

it("none is sent before the others have a connection, even where one has it already", async () => {
  const { seen, post } = await hostAndTransport();
  await post("/before", "{}");
  const at = together(3);
  const first = [post("/1", at("{}")), post("/2", at("{}"))];
  // A webhook that is sent later comes first, as long as one of the three is missing.
  for (const path of ["/a", "/b", "/c"]) await post(path, "{}");
  expect(seen).toEqual(["/before", "/a", "/b", "/c"]);
  const all = await Promise.all([...first, post("/3", at("{}"))]);
  expect(all.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(seen.slice(4).toSorted()).toEqual(["/1", "/2", "/3"]);
});

it("one that finds no connection does not hold up the others", async () => {
  const { post, transport } = await hostAndTransport();
  const at = together(2);
  const [lost, sent] = await Promise.all([transport.post("http://localhost:0/", {}, at("{}")), post("/1", at("{}"))]);
  expect([lost.statusCode, sent.statusCode]).toEqual([null, 200]);
});
