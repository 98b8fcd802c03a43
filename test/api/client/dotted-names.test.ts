import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createClient } from "../../../src/programs/library/create-client.js";

/** `client.charges.create`: what somebody writes who does not know that an id is one name. */

const make = () => createClient({ baseUrl: "http://127.0.0.1:9", apiKey: "qa_test_0123456789" });
const client = make();
interface Loose {
  readonly [name: string]: Loose | undefined;
}
const loose = client as unknown as Loose;

describe("the error for a dotted name shows how to write it", () => {
  it.each<[string, () => unknown, string]>([
    ["client.charges.create", () => loose.charges?.create, "charges.create"],
    ["client.sandbox.clock.advance", () => loose.sandbox?.clock?.advance, "sandbox.clock.advance"],
    ["client.charges.crate", () => loose.charges?.crate, "charges.create"],
    ["client.wallets", () => (loose.wallets as unknown as () => void)(), "wallets.balance"],
  ])("%s", (written, use, id) => {
    const message = `client.${written.slice(7)} does not exist, because the id of an operation is one name: write client["${id}"](…).`;
    expect(use).toThrow(new TypeError(message));
  });

  it("and its stack begins at the line that has the name", () => {
    expect(() => loose.charges?.create).toThrow(
      expect.objectContaining({ stack: expect.stringMatching(/^TypeError: .+\n +at .+dotted-names\.test\.ts/) }),
    );
  });
});

describe("the hidden names are in nothing that looks at a client", () => {
  it("neither in its members and their output, nor in copies", () => {
    const names = Object.keys(client);
    expect(names.filter((name) => !name.includes("."))).toEqual([]);
    expect(JSON.stringify({ client })).toBe('{"client":{}}');
    expect(inspect(client)).not.toMatch(/^ {2}charges:/m);
    expect(inspect(client, { showHidden: true, getters: true })).toContain("'charges.create': [Function");
    expect(Object.keys({ ...client })).toEqual(names);
    expect(Object.entries(client)).toHaveLength(names.length);
  });

  it("nor in comparisons", () => {
    expect(client).toEqual(client);
    expect(client).not.toEqual(make());
    expect(Object.assign({}, client)).toStrictEqual({ ...client });
    expect(client).not.toHaveProperty("charge");
  });

  it("nor in the way of await, and of a look at a part", async () => {
    expect(await client).toBe(client);
    expect(await Promise.resolve(loose.charges)).toBeTypeOf("function");
    expect(inspect(loose.charges)).toContain("[Function");
    expect(JSON.stringify({ part: loose.charges })).toBe("{}");
    expect(String(typeof client["charges.create"])).toBe("function");
  });
});
