import type { Family } from "./webhook-signature.js";

/** An event that an object has, as documents and the catalogue of the service describe it. */
export interface EventFacts {
  /** Which envelope and signature the event has. */
  readonly family: Family;
  readonly description: string;
  /** The event of the legacy family that reports the same. */
  readonly legacy?: string;
}

/** The events about objects of one kind, by their names. */
export interface EventsOf {
  /** The prefix of the ids of these objects. */
  readonly prefix: string;
  readonly events: Readonly<Record<string, EventFacts>>;
}
