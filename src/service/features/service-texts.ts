import { namesOf } from "../../base/kernel/names.js";
import { textsOfNouns } from "./noun-texts.js";
import texts from "./service-texts.json" with { type: "json" };

/**
 * The English texts of the control interface, by codes (src/base/kernel/message.ts). The console has the same tables in
 * other languages in its own files (docs/decisions/095-texts-in-files.md).
 */

/** The texts for each code of an item of a timeline. */
export const ITEM_TEXTS = textsOfNouns("timeline_items");
export type ItemCode = keyof typeof ITEM_TEXTS;

/** The causes of items. */
export const CAUSE_TEXTS = texts.timeline_causes;
export type CauseCode = keyof typeof CAUSE_TEXTS;

export const DUE_TEXTS = textsOfNouns("due");
export type DueCode = keyof typeof DUE_TEXTS;

/** The kinds of search results. */
const FOUND = textsOfNouns("found");
export const FOUND_KINDS = namesOf(FOUND);

/** The parts of the text of a search result: its kind and the reason of the match. `value` is a literal text. */
export const FOUND_TEXTS = { ...FOUND, ...texts.found_because, ...textsOfNouns("found_because") };
export type FoundCode = keyof typeof FOUND_TEXTS;

/** The problems of the ledger. The parameters are the problem's members; `of` is the bucket's name in the sentence. */
export const PROBLEM_TEXTS = texts.wallet_problems;
export type ProblemCode = keyof typeof PROBLEM_TEXTS;
/** Replaces the problems of a kind that are not shown. */
export const MORE_PROBLEMS = texts.more_wallet_problems;
