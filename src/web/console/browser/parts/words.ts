import { texts } from "../state/language.js";

/** Texts that many pages share. */
export const shared = texts("shared");
