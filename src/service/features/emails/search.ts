import type { Db } from "../../../base/db/driver.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { hasWords } from "../../../base/kernel/text-search.js";
import { foundAs, type Searchable, searchedRows } from "../searchable.js";
import type { EmailRow } from "./store.js";

export function emailSearch(db: Db): Searchable {
  const rows = searchedRows<EmailRow>(db, "emails");
  const [byId, newest] = [rows.byId(ID_PREFIX.email), rows.newest()];
  const found = (row: EmailRow) => foundAs(["email", ID_PREFIX.email], row, { recipient: row.recipient }, row.subject);
  return {
    exact: (asked) => byId(asked).map(found),
    texts: (asked) =>
      newest(asked)
        .filter(({ recipient, subject }) => hasWords(recipient, asked.words) || hasWords(subject, asked.words))
        .map(found),
  };
}
