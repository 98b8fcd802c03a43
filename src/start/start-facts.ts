import type { UserRole } from "../kernel/contract.js";

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
