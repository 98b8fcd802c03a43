import type * as z from "zod";
import type { Message } from "../../base/kernel/message.js";
import type { DueCode } from "./service-texts.js";
import type { JobPayloads, Stores, Tx } from "./tx.js";

/** How a noun says what it does at a later instant. */

/** What a job would do if it ran at its instant. */
export interface Preview extends Message<DueCode> {
  /** The public id of the object that it is about. */
  readonly subject: string;
}

/** The work of one kind. `subject` is the id of the object that the job is about. */
export interface Job<Payload = unknown> {
  readonly payload: z.ZodType<Payload>;
  run(tx: Tx, subject: string, payload: Payload): void;
  /** Returns null when the job would change nothing at `at`: what it was made for has happened in another way. */
  preview(stores: Stores, subject: string, payload: Payload, at: number): Preview | null;
  /** Returns the subjects of its jobs about these objects, where a subject is no id of an object. */
  subjectsAbout?(stores: Stores, ids: readonly string[]): string[];
}

/** Jobs by their kinds. A kind is never renamed and its payload only grows optional fields: jobs of older versions may still wait. */
export type Jobs = { readonly [Kind in keyof JobPayloads]: Job<JobPayloads[Kind]> };
