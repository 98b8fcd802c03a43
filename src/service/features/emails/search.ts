import type { Db } from "../../../base/db/driver.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { hasWords } from "../../../base/kernel/text-search.js";
import { type Searchable, searchRows, toSearchResult } from "../searchable.js";
import type { EmailRow } from "./store.js";

export function emailSearch(db: Db): Searchable {
  const rows = searchRows<EmailRow>(db, "emails");
  const [byId, newest] = [rows.byId(ID_PREFIX.email), rows.newest()];
  const toResult = (row: EmailRow) =>
    toSearchResult(["email", ID_PREFIX.email], row, { recipient: row.recipient }, row.subject);
  return {
    exact: (request) => byId(request).map(toResult),
    texts: (request) =>
      newest(request)
        .filter(({ recipient, subject }) => hasWords(recipient, request.words) || hasWords(subject, request.words))
        .map(toResult),
  };
}
