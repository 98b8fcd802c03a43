import { ID_PREFIX } from "../../../base/kernel/ids.js";
import type { TimelinePart } from "../timeline-part.js";

/** The e-mails about MED cases. */
export const emailTimeline: TimelinePart<"email"> = {
  kind: "email",
  items: ({ emails }, objects) =>
    objects
      .flatMap(({ id }) => emails.ofCase(id))
      .map(({ seq, id: raw, kind, recipient, subject, history_seq, created_at }) => {
        const id = ID_PREFIX.email + raw;
        return {
          ...({ id, kind: "email", at: created_at, history: history_seq, order: seq } as const),
          ...({ code: "email", params: { recipient, subject } } as const),
          data: { id, kind, to: recipient, subject },
        };
      }),
};
