/** The kinds of e-mails (docs/service/med.md#events-and-e-mails). */
export const EMAIL_KINDS = ["MED opened", "MED resolved"] as const;
export type EmailKind = (typeof EMAIL_KINDS)[number];
