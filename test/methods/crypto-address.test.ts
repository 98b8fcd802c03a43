import { createHash } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bech32, createBase58check } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bitcoinAddress,
  type CryptoNetwork,
  cryptoAddress,
  ethereumAddress,
  tronAddress,
} from "../../src/methods/crypto-address.js";

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));
const sha256 = (data: Uint8Array) => createHash("sha256").update(data).digest();

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** The 20 bytes of a TRON address, or null when prefix or checksum are wrong. */
function tronHash(address: string): string | null {
  const number = [...address].reduce((total, digit) => total * 58n + BigInt(BASE58.indexOf(digit)), 0n);
  const decoded = bytes(number.toString(16).padStart(50, "0"));
  const body = decoded.subarray(0, 21);
  const checksum = sha256(sha256(body)).subarray(0, 4);
  return body[0] === 0x41 && checksum.equals(decoded.subarray(21))
    ? Buffer.from(body.subarray(1)).toString("hex")
    : null;
}

const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** The remainder that BIP-173 defines; 1 for a text with a right checksum. */
function bech32Remainder(prefix: string, data: readonly number[]): number {
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  const values = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...data];
  return values.reduce((remainder, value) => {
    const shifted = ((remainder & 0x1ffffff) << 5) ^ value;
    return GENERATORS.reduce(
      (sum, generator, bit) => (((remainder >>> 25) >> bit) & 1 ? sum ^ generator : sum),
      shifted,
    );
  }, 1);
}

/** The 20 bytes of a Bitcoin address, or null when it is none of version 0 or its checksum is wrong. */
function bitcoinHash(address: string): string | null {
  const data = [...address.slice(3)].map((letter) => BECH32.indexOf(letter));
  if (!address.startsWith("bc1") || data[0] !== 0 || bech32Remainder("bc", data) !== 1) return null;
  const bits = data.slice(1, -6).map((value) => value.toString(2).padStart(5, "0"));
  return BigInt(`0b${bits.join("")}`)
    .toString(16)
    .padStart(40, "0");
}

/** Whether the case of every letter follows the Keccak hash of the address in lower case, bit by bit (EIP-55). */
function hasEthereumCase(address: string): boolean {
  const hex = address.slice(2);
  const hash = keccak_256(Buffer.from(hex.toLowerCase()));
  const isHigh = (place: number) => (((hash[place >> 1] ?? 0) >> (place % 2 === 0 ? 7 : 3)) & 1) === 1;
  return (
    address.startsWith("0x") &&
    [...hex].every((digit, place) => digit === (isHigh(place) ? digit.toUpperCase() : digit.toLowerCase()))
  );
}

const NETWORKS: readonly CryptoNetwork[] = ["TRC20", "ERC20", "BITCOIN"];

const hashes = fc.uint8Array({ minLength: 20, maxLength: 20 });
const hexOf = (hash: Uint8Array) => Buffer.from(hash).toString("hex");

describe("a TRON address", () => {
  it("of twenty zero bytes is the published one", () => {
    expect(tronAddress(new Uint8Array(20))).toBe("T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb");
  });

  it("of the USDT contract is the published one, and no other ending has a right checksum", () => {
    const contract = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
    expect(tronAddress(bytes(tronHash(contract) ?? ""))).toBe(contract);
    expect(tronHash("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u")).toBeNull();
  });

  it("is 34 characters with its bytes and their checksum", () => {
    fc.assert(
      fc.property(hashes, (hash) => {
        expect(tronAddress(hash)).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
        expect(tronHash(tronAddress(hash))).toBe(hexOf(hash));
        const decoded = createBase58check((data: Uint8Array) => new Uint8Array(sha256(data))).decode(tronAddress(hash));
        expect(hexOf(decoded)).toBe(`41${hexOf(hash)}`);
      }),
      { seed: 1 },
    );
  });
});

describe("an Ethereum address", () => {
  it.each([
    "0xdAC17F958D2ee523a2206206994597C13D831ec7",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
  ])("has the case of its letters in %s, whatever case they came in", (address) => {
    const hex = address.slice(2);
    expect([hex, hex.toLowerCase(), hex.toUpperCase()].map(ethereumAddress)).toEqual([address, address, address]);
    expect(hasEthereumCase(address)).toBe(true);
  });

  it("is 42 characters with its bytes, and the case of its letters is their checksum", () => {
    fc.assert(
      fc.property(hashes, (hash) => {
        const address = ethereumAddress(hexOf(hash));
        expect(address.toLowerCase()).toBe(`0x${hexOf(hash)}`);
        expect(hasEthereumCase(address)).toBe(true);
      }),
      { seed: 1 },
    );
  });
});

describe("a Bitcoin address", () => {
  it("is the one that BIP-173 gives as an example", () => {
    const hash = bytes("751e76e8199196d454941c45d1b3a323f1433bd6");
    expect(bitcoinAddress(hash)).toBe("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4");
    expect(bitcoinHash("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5")).toBeNull();
  });

  it("is 42 characters with its bytes and their checksum", () => {
    fc.assert(
      fc.property(hashes, (hash) => {
        expect(bitcoinAddress(hash)).toMatch(/^bc1q[02-9ac-hj-np-z]{38}$/);
        expect(bitcoinHash(bitcoinAddress(hash))).toBe(hexOf(hash));
        const [version, ...words] = bech32.decode(bitcoinAddress(hash) as `bc1${string}`).words;
        expect([version, hexOf(bech32.fromWords(words))]).toEqual([0, hexOf(hash)]);
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
        expect(tronHash(cryptoAddress("TRC20", id))).toBe(hash);
        expect(bitcoinHash(cryptoAddress("BITCOIN", id))).toBe(hash);
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
