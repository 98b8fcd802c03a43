import { createPrivateKey } from "node:crypto";
import { isWhole } from "../../../base/db/columns/values.js";
import { isJsonObject } from "../../../base/kernel/json.js";
import { MAX_INSTANT, MAX_SPEED } from "../../../base/kernel/time.js";
import { isSigningKey } from "../../../base/pix/payload.js";

const isWithin = (value: unknown, min: number) => isWhole(value) && value >= min && value <= MAX_INSTANT;

const SECRET = /^[0-9a-f]{64}$/;

export const SETTINGS: Readonly<Record<string, (value: string) => boolean>> = {
  clock: ofObject(
    ({ offset, frozenAt, speed = 1, ...instants }) =>
      isWithin(offset, -MAX_INSTANT) &&
      isWhole(speed) &&
      speed >= 1 &&
      speed <= MAX_SPEED &&
      (frozenAt === null || isWithin(frozenAt, 0)) &&
      Object.values(instants).every((at) => isWithin(at, 0)),
  ),
  link_key: (value) => SECRET.test(value),
  token_key: (value) => SECRET.test(value),
  pix_signing_key: ofObject((value) => isSigningKey(value) && isPrivateKey(value)),
  snapshot: ofObject(({ now, counts }) => isWhole(now) && isJsonObject(counts)),
};

function isPrivateKey(key: Readonly<Record<string, unknown>>): boolean {
  try {
    createPrivateKey({ key, format: "jwk" });
    return true;
  } catch {
    return false;
  }
}

function ofObject(fits: (value: Readonly<Record<string, unknown>>) => boolean): (text: string) => boolean {
  return (text) => {
    try {
      const value: unknown = JSON.parse(text);
      return isJsonObject(value) && fits(value);
    } catch {
      return false;
    }
  };
}
