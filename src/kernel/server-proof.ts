import { hmacHex } from "./hmac.js";

/**
 * How a server and the commands of its user recognize each other (docs/decisions/038-the-server-of-a-project.md). Both
 * know the secret that the server made when it started. Neither sends it, so that another program that listens at the
 * same address learns nothing.
 */
export type ProofPurpose = "server" | "stop";

/**
 * The proof that somebody knows the secret. `url` is the address of the server, as the server itself knows it and as the
 * command asks it: a program at another address cannot pass the proof of the server on as its own. `challenge` is the text
 * of a random value that the other side chose.
 */
export function serverProof(secret: string, purpose: ProofPurpose, url: string, challenge: string): string {
  return hmacHex(secret, `${purpose} ${url} ${challenge}`);
}
