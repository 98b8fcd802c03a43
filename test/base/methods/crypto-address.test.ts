import { createHash } from "node:crypto";
import { bech32, createBase58check } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bitcoinAddress,
  type CryptoNetwork,
  cryptoAddress,
  ethereumAddress,
  tronAddress,
} from "../../../src/base/methods/crypto-address.js";

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));
const sha256 = (data: Uint8Array) => createHash("sha256").update(data).digest();

const base58check = createBase58check((data: Uint8Array) => new Uint8Array(sha256(data)));

/** The hash in a TRON address, behind the prefix of its network. Refused when the checksum is wrong. */
const tronHash = (address: string) => hexOf(base58check.decode(address));

/** The hash in a Bitcoin address, behind its version. Refused when the checksum is wrong. */
function bitcoinHash(address: string): string {
  const [version, ...words] = bech32.decode(address as `bc1${string}`).words;
  return `${version}${hexOf(bech32.fromWords(words))}`;
}

const NETWORKS: readonly CryptoNetwork[] = ["TRC20", "ERC20", "BITCOIN"];

const hashes = fc.uint8Array({ minLength: 20, maxLength: 20 });
const hexOf = (hash: Uint8Array) => Buffer.from(hash).toString("hex");

describe("a TRON address", () => {
  it.each([
    ["twenty zero bytes", "00".repeat(20), "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"],
    ["the contract of USDT", "a614f803b6fd780986a42c78ec9c7f77e6ded13c", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
  ])("of %s is the published one", (_what, hash, address) => {
    expect(tronAddress(bytes(hash))).toBe(address);
  });

  it("with another last letter is refused by an independent reader", () => {
    expect(() => tronHash("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u")).toThrow("checksum");
  });

  it("is 34 characters, by an independent reader with its bytes and their checksum", () => {
    fc.assert(
      fc.property(hashes, (hash) => {
        expect(tronAddress(hash)).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
        expect(tronHash(tronAddress(hash))).toBe(`41${hexOf(hash)}`);
      }),
      { seed: 1 },
    );
  });
});

describe("an Ethereum address", () => {
  it.each([
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0xdAC17F958D2ee523a2206206994597C13D831ec7",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
  ])("has the case of its letters in %s, whatever case they came in", (address) => {
    const hex = address.slice(2);
    expect([hex, hex.toLowerCase(), hex.toUpperCase()].map(ethereumAddress)).toEqual([address, address, address]);
  });

  it("is 42 characters with its bytes", () => {
    fc.assert(
      fc.property(hashes, (hash) => {
        const address = ethereumAddress(hexOf(hash));
        expect(address.toLowerCase()).toBe(`0x${hexOf(hash)}`);
      }),
      { seed: 1 },
    );
  });
});

describe("a Bitcoin address", () => {
  it("is the one that BIP-173 gives as an example", () => {
    const hash = bytes("751e76e8199196d454941c45d1b3a323f1433bd6");
    expect(bitcoinAddress(hash)).toBe("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4");
  });

  it("is 42 characters, by an independent reader with its bytes and their checksum", () => {
    fc.assert(
      fc.property(hashes, (hash) => {
        expect(bitcoinAddress(hash)).toMatch(/^bc1q[02-9ac-hj-np-z]{38}$/);
        expect(bitcoinHash(bitcoinAddress(hash))).toBe(`0${hexOf(hash)}`);
      }),
      { seed: 1 },
    );
  });
});

describe("the address of an id", () => {
  it("is the first 20 bytes of the id's SHA-256, on every network", () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const hash = sha256(Buffer.from(id)).subarray(0, 20).toString("hex");
        expect(tronHash(cryptoAddress("TRC20", id))).toBe(`41${hash}`);
        expect(bitcoinHash(cryptoAddress("BITCOIN", id))).toBe(`0${hash}`);
        expect(cryptoAddress("ERC20", id)).toBe(ethereumAddress(hash));
      }),
      { seed: 1 },
    );
  });

  it.each(NETWORKS)("is always the same on %s for one id, and differs for another id", (network) => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid(), { minLength: 20, maxLength: 20 }), (ids) => {
        const addresses = ids.map((id) => cryptoAddress(network, id));
        expect(ids.map((id) => cryptoAddress(network, id))).toEqual(addresses);
        expect(new Set(addresses).size).toBe(ids.length);
      }),
      { seed: 1 },
    );
  });
});
