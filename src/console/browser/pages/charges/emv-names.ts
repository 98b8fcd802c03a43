import { type Language, textsIn } from "../../texts/index.js";

/** The name of a field of a BR Code, as the Central Bank's manual has it. */
export function fieldName(id: string, language: Language): string {
  const names: Readonly<Record<string, string>> = textsIn(language).charges_emv_names;
  return names[id] ?? "";
}
