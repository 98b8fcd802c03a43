import { expect, it } from "vitest";
import { createGuardedLookup, type LookupAll } from "../../../src/service/delivery/guarded-lookup.js";

/** What a name leads to, as a connection sees it. */

function answers(addresses: readonly string[], all = true): Promise<unknown> {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  const lookup: LookupAll = (_name, options, callback) => {
    expect(options.all).toBe(true);
    callback(null, found);
  };
  return new Promise((done) => {
    createGuardedLookup(lookup)("shop", { all, family: 0 }, (error, address, family) => {
      done(error?.message ?? (all ? address : [address, family]));
    });
  });
}

it.each([
  ...["169.254.169.254", "169.254.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192"],
  ...["fe80::1", "fe80::1%eth0", "febf::1", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:42::42"],
  ...[
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::ffff:100.100.100.200",
    "64:ff9b::169.254.169.254",
    "2002:a9fe:a9fe::1",
  ],
])("%s is never where a name leads", async (address) => {
  const refusal = `shop leads to ${address}, a link-local or metadata address, to which no name may lead`;
  expect(await answers([address])).toBe(refusal);
  expect(await answers([address], false)).toBe(refusal);
});

it.each([
  "127.0.0.1",
  "10.0.0.7",
  "172.17.0.2",
  "169.253.255.255",
  "170.0.0.1",
  "::1",
  "fd00::7",
  "fec0::1",
  "::ffff:10.0.0.7",
])("%s is where a name may lead", async (address) => {
  const family = address.includes(":") ? 6 : 4;
  expect(await answers([address])).toEqual([{ address, family }]);
  expect(await answers([address], false)).toEqual([address, family]);
});

it("of several addresses only those remain to which a name may lead", async () => {
  const family = 4;
  expect(await answers(["fe80::1", "10.0.0.7", "169.254.169.254"])).toEqual([{ address: "10.0.0.7", family }]);
  expect(await answers(["fe80::1", "10.0.0.7"], false)).toEqual(["10.0.0.7", family]);
});

it("an error of the resolver is passed on", async () => {
  const lookup: LookupAll = (_name, _options, callback) => callback(new Error("no such name"), []);
  const error = await new Promise<Error | null>((done) =>
    createGuardedLookup(lookup)("shop", {}, (reason) => done(reason)),
  );
  expect(error?.message).toBe("no such name");
});
