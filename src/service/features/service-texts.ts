import { namesOf } from "../../base/kernel/names.js";
import { textsOfNouns } from "./noun-texts.js";
import texts from "./service-texts.json" with { type: "json" };

/**
 * What the control interface says in English, by codes (src/base/kernel/message.ts). The console has the same tables in Portuguese in
 * its own file (docs/decisions/095-texts-in-files.md).
 */

/** What happened, for each code of an item of a timeline. */
export const ITEM_TEXTS = textsOfNouns("timeline_items");
export type ItemCode = keyof typeof ITEM_TEXTS;

/** What is behind an item. */
export const CAUSE_TEXTS = texts.timeline_causes;
export type CauseCode = keyof typeof CAUSE_TEXTS;

export const DUE_TEXTS = textsOfNouns("due");
export type DueCode = keyof typeof DUE_TEXTS;

/** What a search finds. */
const FOUND = textsOfNouns("found");
export const FOUND_KINDS = namesOf(FOUND);

/** The parts of the text about what a search has found: what it is, and why it was found. `value` is a status, a role or another text that stands for itself. */
export const FOUND_TEXTS = { ...FOUND, ...texts.found_because, ...textsOfNouns("found_because") };
export type FoundCode = keyof typeof FOUND_TEXTS;

/** What does not add up in the ledger. The parameters are the members of the problem; `of` is what the sentence calls the bucket. */
export const PROBLEM_TEXTS = texts.wallet_problems;
export type ProblemCode = keyof typeof PROBLEM_TEXTS;
/** In place of the problems of a kind that are not shown. */
export const MORE_PROBLEMS = texts.more_wallet_problems;
