import { fill, type Params } from "../../../kernel/message.js";

/** A text of the service: its English, and what it was made of. */
export interface ServiceText<Code extends string> {
  readonly code: Code;
  readonly params: Params;
  readonly text: string;
}

/** The texts of a language for each code. English has none: the service sends it. */
export type TextTable<Code extends string> = Readonly<Record<Code, string>> | null;

/** A text of the service in another language. A code of a newer service, whose text is not known, stays in English. */
export function serviceText<Code extends string>(table: TextTable<Code>, given: ServiceText<Code>): string {
  const template = table?.[given.code];
  return template === undefined ? given.text : fill(template, given.params);
}
