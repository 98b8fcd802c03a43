import { texts } from "../state/language.js";

const words = texts(
  { answered: (status: string) => `the endpoint answered ${status}` },
  { answered: (status) => `o endpoint respondeu ${status}` },
);

/** Why an attempt of a delivery failed: the answer of the receiver, else what the network said, in its own words. */
export function AttemptError({ text }: { text: string }) {
  const [, status] = /^the endpoint answered (\d+)$/.exec(text) ?? [];
  return status === undefined ? <span lang="en">{text}</span> : words.value.answered(status);
}
