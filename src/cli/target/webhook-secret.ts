import { isSigningSecret } from "../../features/webhooks/rules.js";
import { usage } from "../terminal/failure.js";

/** The value of --webhook-secret, in the form of the service's own. Throws Failure, which does not repeat it. */
export function checkedSecret(text: string): string {
  if (isSigningSecret(text)) return text;
  const message = "--webhook-secret takes 64 hexadecimal digits (0-9 a-f), as secrets of the service have.";
  throw usage(message, "`openssl rand -hex 32` makes one.");
}
