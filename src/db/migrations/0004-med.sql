-- MED cases, their evidence, and the notices that are mailed about them.

-- JSON of `metadata.med` on a disputed charge.
ALTER TABLE transactions ADD COLUMN med TEXT;
-- What `metadata._sandbox` wants to happen after settlement, as JSON.
ALTER TABLE transactions ADD COLUMN script TEXT;

CREATE TABLE med_cases (
  seq                   INTEGER PRIMARY KEY,
  id                    TEXT NOT NULL UNIQUE,
  book_id               INTEGER NOT NULL REFERENCES books (id),
  transaction_id        TEXT NOT NULL REFERENCES transactions (id),
  type                  TEXT NOT NULL CHECK (type IN ('med', 'chargeback', 'dispute', 'fraud')),
  status                TEXT NOT NULL CHECK (status IN ('open', 'appealed', 'accepted', 'rejected', 'closed')),
  amount                INTEGER NOT NULL CHECK (amount > 0),
  currency              TEXT NOT NULL,
  reason                TEXT,
  method                TEXT NOT NULL CHECK (method IN ('scam', 'unauthorized', 'coercion', 'invasion', 'other')),
  -- What it holds of the wallet; 0 when the reported amount exceeds what could be contested.
  held                  INTEGER NOT NULL,
  response_deadline     INTEGER,
  evidence_requested_at INTEGER,
  appeal_reason         TEXT,
  appealed_at           INTEGER,
  money_outcome         TEXT CHECK (money_outcome IN ('refunded_to_merchant', 'closed_without_refund', 'lost')),
  withdrawn             INTEGER NOT NULL DEFAULT 0,
  opened_at             INTEGER NOT NULL,
  closed_at             INTEGER,
  created_at            INTEGER NOT NULL,
  updated_at            INTEGER NOT NULL
) STRICT;
CREATE INDEX med_cases_by_book ON med_cases (book_id, created_at);
CREATE INDEX med_cases_by_transaction ON med_cases (transaction_id);

-- The file is in the row, so that a copy of the database holds it.
CREATE TABLE med_evidence (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  case_id     TEXT NOT NULL REFERENCES med_cases (id),
  file_name   TEXT NOT NULL,
  file_size   INTEGER NOT NULL,
  mime_type   TEXT NOT NULL,
  uploaded_by TEXT NOT NULL CHECK (uploaded_by IN ('merchant', 'partner', 'platform')),
  expires_at  INTEGER NOT NULL,
  stored_size INTEGER,
  content     BLOB,
  uploaded_at INTEGER,
  created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX med_evidence_by_case ON med_evidence (case_id);

CREATE TABLE emails (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  book_id    INTEGER NOT NULL REFERENCES books (id),
  kind       TEXT NOT NULL CHECK (kind IN ('MED opened', 'MED resolved')),
  recipient  TEXT NOT NULL,
  subject    TEXT NOT NULL,
  text       TEXT NOT NULL,
  html       TEXT NOT NULL,
  case_id    TEXT NOT NULL REFERENCES med_cases (id),
  relayed_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX emails_by_book ON emails (book_id);
