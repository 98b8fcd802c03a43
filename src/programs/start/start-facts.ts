import type { UserRole } from "../../base/kernel/contract.js";

/** A dashboard user. The password is in clear text if this start made the user. Otherwise it is null: only its hash is stored. */
export interface EmulatorUser {
  readonly email: string;
  readonly password: string | null;
  readonly role: UserRole;
}

/** Where events are forwarded to (`forwardTo`), and the secret that signs them. */
export interface Forward {
  readonly endpointId: string;
  readonly url: string;
  readonly secret: string;
}

/** What a start tells of the service, whoever asks for it. */
export interface StartFacts {
  /** The address of the service: `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** The absolute path of the database file, or `:memory:`. */
  readonly database: string;
  /** A link that opens the console while this server runs; null when the console is switched off. */
  readonly consoleUrl: string | null;
  /** The users of the first account, and users that this start made for accounts of an older database. */
  readonly users: readonly EmulatorUser[];
  /** Signs requests to the forward target and to the `webhookUrl` of a payment: 64 characters, used as text. */
  readonly signingSecret: string;
  /** Where events are forwarded to; null without `forwardTo`. */
  readonly forward: Forward | null;
}
