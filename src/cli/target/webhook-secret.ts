import { isSigningSecret } from "../../features/webhooks/rules.js";
import { usage } from "../terminal/failure.js";

/** Checks the value of --webhook-secret. Throws Failure (exit 2) for a wrong one; the message does not contain it. */
export function checkedSecret(text: string): string {
  if (isSigningSecret(text)) return text;
  const message = "--webhook-secret takes 64 hexadecimal digits (0-9 a-f), as secrets of the service have.";
  throw usage(message, "`openssl rand -hex 32` makes one.");
}
