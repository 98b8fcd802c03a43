import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { bech32, createBase58check } from "@scure/base";

/**
 * Deposit addresses with valid checksums. They are hashes of an id: nobody holds a key to them.
 *
 * Source: TRON (Base58Check with prefix 0x41), Ethereum EIP-55, Bitcoin BIP-173.
 */

export type CryptoNetwork = "TRC20" | "ERC20" | "BITCOIN";

const TRON_PREFIX = 0x41;

export function tronAddress(hash20: Uint8Array): string {
  return createBase58check(sha256).encode(Uint8Array.of(TRON_PREFIX, ...hash20));
}

/** An Ethereum address of 40 hex digits, with its checksum in the case of the letters. */
export function ethereumAddress(hex40: string): string {
  const bare = hex40.toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(bare)));
  const cased = [...bare].map((digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join("")}`;
}

/** A Bitcoin address that pays to the hash of a public key (version 0). */
export function bitcoinAddress(hash20: Uint8Array): string {
  return bech32.encode("bc", [0, ...bech32.toWords(hash20)]);
}

const ENCODERS: Readonly<Record<CryptoNetwork, (hash20: Uint8Array) => string>> = {
  TRC20: tronAddress,
  ERC20: (hash20) => ethereumAddress(bytesToHex(hash20)),
  BITCOIN: bitcoinAddress,
};

/** Returns the address of an id on a network. The same id always has the same address. */
export function cryptoAddress(network: CryptoNetwork, id: string): string {
  return ENCODERS[network](sha256(utf8ToBytes(id)).slice(0, 20));
}
