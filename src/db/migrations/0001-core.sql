-- Times are INTEGER milliseconds since the Unix epoch, money is INTEGER in the smallest unit of its currency.
-- Ids are UUID version 7 without their public prefix; `seq` is the order of insertion, which every list sorts by.

CREATE TABLE settings (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
  id             TEXT PRIMARY KEY,
  name           TEXT NOT NULL,
  city           TEXT NOT NULL,
  pix_key        TEXT NOT NULL,
  signing_secret TEXT NOT NULL,
  created_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A book is one account in one mode. Test and live are separate books: nothing but the account joins them.
CREATE TABLE books (
  id         INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  mode       TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  UNIQUE (account_id, mode)
) STRICT;

-- Only the SHA-256 of a key is kept.
CREATE TABLE api_keys (
  id         TEXT PRIMARY KEY,
  book_id    INTEGER NOT NULL REFERENCES books (id),
  hash       TEXT NOT NULL UNIQUE,
  prefix     TEXT NOT NULL,
  label      TEXT,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE transactions (
  seq                   INTEGER PRIMARY KEY,
  id                    TEXT NOT NULL UNIQUE,
  book_id               INTEGER NOT NULL REFERENCES books (id),
  status                TEXT NOT NULL CHECK (status IN ('PENDING', 'WAITING_PAYMENT', 'PROCESSING', 'PAID', 'APPROVED',
                          'REFUSED', 'CANCELLED', 'EXPIRED', 'REFUNDED', 'CHARGEBACK', 'DISPUTE')),
  amount                INTEGER NOT NULL CHECK (amount > 0),
  currency              TEXT NOT NULL,
  payment_methods       TEXT NOT NULL,
  customer_name         TEXT,
  customer_document     TEXT,
  customer_email        TEXT,
  customer_phone        TEXT,
  customer_tax_id       TEXT,
  expected_payer_tax_id TEXT,
  metadata              TEXT NOT NULL,
  expires_in            INTEGER NOT NULL,
  expires_at            INTEGER NOT NULL,
  txid                  TEXT,
  checkout_token        TEXT NOT NULL,
  provider_reference    TEXT,
  failure               TEXT,
  held_at               INTEGER,
  paid_with             TEXT,
  paid_at               INTEGER,
  end_to_end_id         TEXT,
  return_id             TEXT,
  payer_name            TEXT,
  payer_document        TEXT,
  provider_fee          INTEGER NOT NULL DEFAULT 0,
  platform_fee          INTEGER NOT NULL DEFAULT 0,
  created_at            INTEGER NOT NULL,
  updated_at            INTEGER NOT NULL
) STRICT;
CREATE INDEX transactions_by_book ON transactions (book_id, created_at);

CREATE TABLE refunds (
  seq            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  transaction_id TEXT NOT NULL REFERENCES transactions (id),
  amount         INTEGER NOT NULL CHECK (amount > 0),
  currency       TEXT NOT NULL,
  status         TEXT NOT NULL CHECK (status IN ('PENDING', 'IN_PROGRESS', 'REFUNDED', 'FAILED')),
  reason         TEXT,
  end_to_end_id  TEXT,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX refunds_by_transaction ON refunds (transaction_id);

-- `event_seq` names the event whose data is the stored answer, so that one body is not kept twice.
CREATE TABLE idempotency_keys (
  book_id      INTEGER NOT NULL,
  kind         TEXT NOT NULL,
  key          TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  status       INTEGER NOT NULL,
  body         TEXT,
  event_seq    INTEGER,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (book_id, kind, key),
  CHECK ((body IS NULL) <> (event_seq IS NULL))
) STRICT, WITHOUT ROWID;

-- The ledger is append-only: a journal is a balanced set of entries, and each balance is kept by the database itself.
CREATE TABLE ledger_journals (
  id         INTEGER PRIMARY KEY,
  book_id    INTEGER NOT NULL REFERENCES books (id),
  kind       TEXT NOT NULL,
  reference  TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX ledger_journals_by_reference ON ledger_journals (reference);

CREATE TABLE ledger_entries (
  id         INTEGER PRIMARY KEY,
  journal_id INTEGER NOT NULL REFERENCES ledger_journals (id),
  book_id    INTEGER NOT NULL,
  currency   TEXT NOT NULL,
  bucket     TEXT NOT NULL CHECK (bucket IN ('available', 'pending', 'retained', 'review', 'world', 'provider_fees',
               'platform_fees')),
  amount     INTEGER NOT NULL CHECK (amount <> 0)
) STRICT;
CREATE INDEX ledger_entries_by_journal ON ledger_entries (journal_id);

CREATE TABLE ledger_balances (
  book_id  INTEGER NOT NULL,
  currency TEXT NOT NULL,
  bucket   TEXT NOT NULL,
  balance  INTEGER NOT NULL,
  PRIMARY KEY (book_id, currency, bucket)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER ledger_entries_keep_balances AFTER INSERT ON ledger_entries BEGIN
  INSERT INTO ledger_balances (book_id, currency, bucket, balance)
  VALUES (NEW.book_id, NEW.currency, NEW.bucket, NEW.amount)
  ON CONFLICT DO UPDATE SET balance = balance + NEW.amount;
END;
CREATE TRIGGER ledger_entries_are_final BEFORE UPDATE ON ledger_entries BEGIN
  SELECT RAISE(ABORT, 'ledger entries are never edited');
END;

-- Money that was settled but is held for a while (`--settlement-hold`).
CREATE TABLE tranches (
  id             INTEGER PRIMARY KEY,
  book_id        INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  currency       TEXT NOT NULL,
  amount         INTEGER NOT NULL,
  release_at     INTEGER NOT NULL,
  released_at    INTEGER
) STRICT;
CREATE INDEX tranches_to_release ON tranches (book_id, currency, release_at) WHERE released_at IS NULL;

-- Everything that happens later is a row here, never a timer.
CREATE TABLE jobs (
  due_at   INTEGER NOT NULL,
  subject  TEXT NOT NULL,
  kind     TEXT NOT NULL,
  payload  TEXT NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (due_at, subject, kind)
) STRICT, WITHOUT ROWID;

-- An event's `data` is the part of its envelope that is about the business object; the rest is columns (section 6).
CREATE TABLE events (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  book_id    INTEGER NOT NULL,
  type       TEXT NOT NULL,
  subject    TEXT NOT NULL,
  data       TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- `events` is written as ,name,name, so that one name can be looked for without taking the list apart.
CREATE TABLE endpoints (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  book_id    INTEGER NOT NULL REFERENCES books (id),
  url        TEXT NOT NULL,
  events     TEXT NOT NULL,
  secret     TEXT NOT NULL,
  status     TEXT NOT NULL CHECK (status IN ('ACTIVE', 'INACTIVE')),
  origin     TEXT NOT NULL CHECK (origin IN ('api', 'forward')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;
CREATE INDEX endpoints_by_book ON endpoints (book_id);

-- `parked` deliveries belong to an INACTIVE endpoint and wait until it is ACTIVE again.
CREATE TABLE deliveries (
  seq                INTEGER PRIMARY KEY,
  id                 TEXT NOT NULL UNIQUE,
  book_id            INTEGER NOT NULL,
  event_seq          INTEGER NOT NULL REFERENCES events (seq),
  endpoint_seq       INTEGER NOT NULL REFERENCES endpoints (seq),
  status             TEXT NOT NULL CHECK (status IN ('PENDING', 'PROCESSING', 'DELIVERED', 'FAILED', 'CANCELLED')),
  attempts           INTEGER NOT NULL,
  max_attempts       INTEGER NOT NULL,
  next_attempt_at    INTEGER,
  parked             INTEGER NOT NULL DEFAULT 0,
  last_status_code   INTEGER,
  last_error         TEXT,
  last_response_body TEXT,
  delivered_at       INTEGER,
  created_at         INTEGER NOT NULL,
  updated_at         INTEGER NOT NULL
) STRICT;
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE status = 'PENDING' AND parked = 0;
CREATE INDEX deliveries_by_book ON deliveries (book_id, status);
CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_seq) WHERE status IN ('PENDING', 'PROCESSING');

-- One row per attempt that ended, never rewritten.
CREATE TABLE delivery_attempts (
  seq          INTEGER PRIMARY KEY,
  delivery_seq INTEGER NOT NULL REFERENCES deliveries (seq),
  attempt      INTEGER NOT NULL,
  status_code  INTEGER,
  error        TEXT,
  duration_ms  INTEGER NOT NULL,
  attempted_at INTEGER NOT NULL
) STRICT;
CREATE INDEX delivery_attempts_by_delivery ON delivery_attempts (delivery_seq);
