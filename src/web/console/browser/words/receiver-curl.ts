import { shellWord } from "../../../../base/kernel/shell.js";
import { SIGNATURE_HEADER } from "../../../../base/kernel/webhook-signature.js";

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers that curl creates by itself. */
const OWN = ["host", "connection", "content-length"];

/** `curl …` that sends a delivery to its receiver, with this signature. */
export function receiverCurl({ url, headers, body }: Sent, signature: string): string {
  const sent = Object.entries({ ...headers, [SIGNATURE_HEADER]: signature }).filter(([name]) => !OWN.includes(name));
  const words = sent.flatMap(([name, value]) => ["-H", shellWord(`${name}: ${value}`)]);
  return ["curl", "-i", "-X", "POST", shellWord(url), ...words, "--data-raw", shellWord(body)].join(" ");
}
