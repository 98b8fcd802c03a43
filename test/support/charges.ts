import { expect } from "vitest";
import { z } from "zod";
import { Charge } from "../../src/service/features/transactions/charge-resource.js";
import type { Loose, TestEmulator } from "./emulator.js";

/** Documents with correct check digits, and values that are no documents. */
export const DOCUMENTS = {
  cpf: "52998224725",
  cpfPunctuated: "529.982.247-25",
  otherCpf: "11144477735",
  cnpj: "11222333000181",
  cnpjPunctuated: "11.222.333/0001-81",
  alphanumericCnpj: "12ABC34501DE35",
  alphanumericCnpjPunctuated: "12.ABC.345/01DE-35",
} as const;

/**
 * The same schema where every object refuses members that it does not name. Records stay open: they are the client's.
 */
export function strictly(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape as Record<string, z.ZodType>);
    return z.strictObject(Object.fromEntries(members.map(([name, member]) => [name, strictly(member)])));
  }
  if (schema instanceof z.ZodArray) return z.array(strictly(schema.element as z.ZodType));
  if (schema instanceof z.ZodOptional) return strictly(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodNullable) return strictly(schema.unwrap() as z.ZodType).nullable();
  return schema;
}

const StrictCharge = strictly(Charge);

/** Checks that a charge has exactly the members of docs/service/charges.md#the-charge. Returns it. */
export function expectCharge(charge: Loose): Loose {
  expect(StrictCharge.safeParse(charge).error?.message ?? "").toBe("");
  return charge;
}

/** Names of the events about a charge, oldest first. */
export async function eventsOf(emulator: TestEmulator, id: string, key = emulator.key): Promise<string[]> {
  const { data } = await emulator.sandbox(`/events?limit=100&subject=${id}`, undefined, { key });
  return data.map(({ type }: Loose) => type).reverse();
}

export async function statusOf(emulator: TestEmulator, id: string): Promise<string> {
  return (await emulator.call("GET", `/v1/charges/${id}`)).body.status;
}

export function balance(emulator: TestEmulator, key = emulator.key, query = ""): Promise<Loose> {
  return emulator.call("GET", `/v1/wallets/balance${query}`, { key }).then(({ body }) => body);
}
