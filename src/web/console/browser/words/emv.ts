import { crc16, readFields } from "../../../../base/pix/br-code.js";

/** A BR Code decoded into its EMV fields (BCB, Manual de Padrões para Iniciação do Pix; EMVCo MPM). Pure. */

export interface EmvField {
  readonly id: string;
  readonly length: number;
  readonly value: string;
  /** The fields inside a template. */
  readonly fields: readonly EmvField[];
}

export interface EmvCode {
  readonly fields: readonly EmvField[];
  /** The rest behind the last whole field; empty for a correct code. */
  readonly rest: string;
  /** The checksum in the code and the one of its text; null without the field. */
  readonly crc: { readonly told: string; readonly computed: string | null } | null;
}

/** Ids of templates: accounts of arrangements, additional data, language, and unreserved ones. */
function isTemplate(id: string): boolean {
  const number = Number(id);
  return (number >= 26 && number <= 51) || id === "62" || id === "64" || number >= 80;
}

function split(text: string, isOutside: boolean): { readonly fields: readonly EmvField[]; readonly rest: string } {
  const { fields, rest } = readFields(text);
  const apart = fields.map(([id, value]) => {
    const inner = isOutside && isTemplate(id) ? split(value, false) : null;
    return { id, length: value.length, value, fields: inner?.rest === "" ? inner.fields : [] };
  });
  return { fields: apart, rest };
}

function checksumOf(text: string): string | null {
  try {
    return crc16(text);
  } catch {
    // Text beyond ASCII has no checksum that banks agree on.
    return null;
  }
}

/** The checksum covers everything up to its own id and length. */
function crcOf(text: string, fields: readonly EmvField[]): EmvCode["crc"] {
  const last = fields.at(-1);
  if (last?.id !== "63") return null;
  return { told: last.value, computed: checksumOf(text.slice(0, text.length - last.length)) };
}

export function readEmv(text: string): EmvCode {
  const { fields, rest } = split(text, true);
  return { fields, rest, crc: rest === "" ? crcOf(text, fields) : null };
}

/** True if the code carries the checksum of its text. */
export function isCrcRight({ crc }: EmvCode): boolean {
  return crc !== null && crc.told === crc.computed;
}
