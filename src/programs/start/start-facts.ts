import type { UserRole } from "../../base/kernel/contract.js";

/**
 * A dashboard user. The password is in clear text if this start created the user, else null: it is stored as a hash.
 */
export interface EmulatorUser {
  readonly email: string;
  readonly password: string | null;
  readonly role: UserRole;
}

/** The target of forwarded events (`forwardTo`), and the secret that signs them. */
export interface Forward {
  readonly endpointId: string;
  readonly url: string;
  readonly secret: string;
}

/** The facts about a started service, for every caller. */
export interface StartFacts {
  /** The address of the service: `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** The absolute path of the database file, or `:memory:`. */
  readonly database: string;
  /** A link that opens the console while this server runs; null when the console is switched off. */
  readonly consoleUrl: string | null;
  /** The users of the first account, and users that this start created for accounts of an older database. */
  readonly users: readonly EmulatorUser[];
  /** Signs requests to the forward target and to the `webhookUrl` of a payment: 64 characters, used as text. */
  readonly signingSecret: string;
  /** The target of forwarded events; null without `forwardTo`. */
  readonly forward: Forward | null;
}
