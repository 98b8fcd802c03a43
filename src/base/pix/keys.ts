import { UUID_FORM } from "../kernel/ids.js";
import { isCnpj, isCpf } from "../kernel/tax-id.js";

/**
 * Pix keys, bare as banks exchange them: CPF, CNPJ, e-mail, phone in E.164, random key.
 *
 * Source: BCB, DICT operational manual, section 1.
 */

export const PIX_KEY_TYPES = ["CPF", "CNPJ", "EMAIL", "PHONE", "RANDOM"] as const;
export type PixKeyType = (typeof PIX_KEY_TYPES)[number];

const EMAIL = /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;
const PHONE = /^\+[1-9]\d{7,14}$/;
const RANDOM = new RegExp(`^${UUID_FORM}$`);

const FORMS: Readonly<Record<PixKeyType, (key: string) => boolean>> = {
  CPF: (key) => /^\d{11}$/.test(key) && isCpf(key),
  CNPJ: (key) => /^[0-9A-Z]{14}$/.test(key) && isCnpj(key),
  EMAIL: (key) => key.length <= 77 && EMAIL.test(key),
  PHONE: (key) => PHONE.test(key),
  RANDOM: (key) => RANDOM.test(key),
};

export function pixKeyType(key: string): PixKeyType | null {
  return PIX_KEY_TYPES.find((type) => FORMS[type](key)) ?? null;
}

/** A random key that is registered nowhere. */
const NOBODYS_KEY = "00000000-0000-0000-0000-000000000000";

/**
 * True if the emulated key directory knows who owns a key: every well-formed one, but for e-mail addresses under
 * `.invalid` (a domain that can have no owner, RFC 2606) and the random key of zeros.
 */
export function resolvesPixKey(key: string): boolean {
  return pixKeyType(key) !== null && !key.endsWith(".invalid") && key !== NOBODYS_KEY;
}
