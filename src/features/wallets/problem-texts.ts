/**
 * What does not add up, in English, for each code (src/kernel/message.ts). The parameters are the members of the problem; `of` is
 * what the sentence calls the bucket.
 */
export const PROBLEM_TEXTS = {
  journal_empty: "Journal {journal} ({kind} of {reference}) has no entries.",
  journal_mixed:
    "Journal {journal} ({kind} of {reference}) has entries of several currencies, or of another account or mode.",
  journal_unbalanced: "The entries of journal {journal} ({kind} of {reference}) sum to {found:money}, not to zero.",
  journal_unknown_reference: "Journal {journal} ({kind}) belongs to {reference}, which does not exist.",
  entry_without_journal: "Entry {entry}, {found:money} in {bucket}, belongs to no journal.",
  balance_differs: "The balance of {bucket} is {found:money}; its entries sum to {expected:money}.",
  bucket_differs: "{of} {expected:money}; the ledger has {found:money} in {bucket}.",
  wallet_differs: "The wallet is answered with {found:money} as {bucket}; the entries sum to {expected:money}.",
  object_differs:
    "By its own record {reference} puts {expected:money} into {of}; its journals put {found:money} there.",
  refunded_differs: "{reference} says that {found:money} of it was refunded; its refunds add up to {expected:money}.",
} as const;

/** In place of the problems of a kind that are not shown. */
export const MORE_PROBLEMS = "There are {more} more problems of this kind.";

export type ProblemCode = keyof typeof PROBLEM_TEXTS;
