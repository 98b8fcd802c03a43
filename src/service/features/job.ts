import type * as z from "zod";
import type { Message } from "../../base/kernel/message.js";
import type { DueCode } from "./service-texts.js";
import type { JobPayloads, Stores, Tx } from "./tx.js";

/** The later work of a noun. */

/** The effect of a job if it ran at its instant. */
export interface Preview extends Message<DueCode> {
  /** The public id of its object. */
  readonly subject: string;
}

/** The work of one kind. `subject` is the id of the object that the job is about. */
export interface Job<Payload = unknown> {
  readonly payload: z.ZodType<Payload>;
  run(tx: Tx, subject: string, payload: Payload): void;
  /** Returns null when the job would change nothing at `at`: its purpose was fulfilled in another way. */
  preview(stores: Stores, subject: string, payload: Payload, at: number): Preview | null;
  /** Returns the subjects of its jobs about these objects, if a subject is no id of an object. */
  subjectsAbout?(stores: Stores, ids: readonly string[]): string[];
}

/** Jobs by their kinds. A kind is never renamed and its payload only grows optional fields: jobs of older versions may still wait. */
export type Jobs = { readonly [Kind in keyof JobPayloads]: Job<JobPayloads[Kind]> };
