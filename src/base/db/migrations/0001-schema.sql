-- The tables of the service.
--
-- Times are INTEGER milliseconds since the Unix epoch, on the emulated clock. Money is INTEGER in the smallest unit of
-- its currency. Public ids are UUID version 7 without their prefix (`ch_`, `rf_`, …). `seq` is the order of insertion:
-- lists sort by it, and it is shorter than the id where another table refers to the row. Lists of names are written as
-- `,name,name,`, so that one name is found by instr(list, ',name,').


-- Accounts and who may use them

-- One value per name: `clock` is the state of the emulated clock (JSON), `link_key` signs addresses that work without an
-- API key, `token_key` signs the tokens of the dashboard, `pix_signing_key` signs Pix payloads. In a snapshot, `snapshot`
-- is what it holds (JSON).
CREATE TABLE settings (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
  id             TEXT PRIMARY KEY,
  name           TEXT NOT NULL,
  -- The city that Pix codes name as the place of the merchant.
  city           TEXT NOT NULL,
  -- The random Pix key that receives the account's charges.
  pix_key        TEXT NOT NULL,
  -- Signs webhooks to the forward target, to `listen` and to the webhook URL of a payment.
  signing_secret TEXT NOT NULL,
  created_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A book is one account in one mode. Test and live share nothing but the account, so most tables refer to the book.
CREATE TABLE books (
  id         INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  mode       TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  UNIQUE (account_id, mode)
) STRICT;

-- A key in clear text is never stored.
CREATE TABLE api_keys (
  id         TEXT PRIMARY KEY,
  book_id    INTEGER NOT NULL REFERENCES books (id),
  -- SHA-256 of the key, hexadecimal. The first 16 digits are the fingerprint that people see.
  hash       TEXT NOT NULL UNIQUE,
  -- The first characters of the key, by which people tell their keys apart.
  prefix     TEXT NOT NULL,
  label      TEXT,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
-- Serves the list of keys, which shows the keys that still work.
CREATE INDEX api_keys_by_book ON api_keys (book_id) WHERE revoked_at IS NULL;

-- The people who may log in to the dashboard.
CREATE TABLE users (
  id            TEXT PRIMARY KEY,
  account_id    TEXT NOT NULL REFERENCES accounts (id),
  -- In lower case, so that UNIQUE holds whatever case an address is written in.
  email         TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  role          TEXT NOT NULL CHECK (role IN ('OWNER', 'ADMIN', 'MEMBER')),
  -- The hash with its salt and its parameters. The password itself is never stored.
  password_hash TEXT NOT NULL,
  created_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX users_by_account ON users (account_id);

-- Dashboard tokens that were logged out before they expired. No other token is stored.
CREATE TABLE revoked_tokens (
  -- The token's own id (its claim `jti`).
  jti        TEXT PRIMARY KEY,
  -- When the token would have expired. The row is of no use after that and is removed at a start.
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What users did to API keys.
CREATE TABLE audit (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  account_id  TEXT NOT NULL REFERENCES accounts (id),
  action      TEXT NOT NULL CHECK (action IN ('api_key.issued', 'api_key.rotated', 'api_key.revoked')),
  user_id     TEXT NOT NULL,
  key_id      TEXT NOT NULL,
  -- The fingerprint of the key, as in `api_keys.hash`.
  fingerprint TEXT NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_by_account ON audit (account_id);


-- Payments

-- A transaction is what the public routes show as a charge (`ch_`) and as a payment (`tx_`).
CREATE TABLE transactions (
  seq                   INTEGER PRIMARY KEY,
  id                    TEXT NOT NULL UNIQUE,
  book_id               INTEGER NOT NULL REFERENCES books (id),
  status                TEXT NOT NULL CHECK (status IN ('PENDING', 'WAITING_PAYMENT', 'PROCESSING', 'PAID', 'APPROVED',
                          'REFUSED', 'CANCELLED', 'EXPIRED', 'REFUNDED', 'CHARGEBACK', 'DISPUTE')),
  amount                INTEGER NOT NULL CHECK (amount > 0),
  currency              TEXT NOT NULL,
  -- The methods that the payer may choose from, as `,PIX,CREDIT_CARD,`.
  payment_methods       TEXT NOT NULL,

  -- The merchant's own id of the customer.
  customer_id           TEXT,
  customer_name         TEXT,
  -- The document as the merchant wrote it, and the same without punctuation, by which it is searched.
  customer_document     TEXT,
  customer_tax_id       TEXT,
  customer_email        TEXT,
  customer_phone        TEXT,
  -- When it is given, a payment by a person with another tax id is sent back.
  expected_payer_tax_id TEXT,
  -- JSON object of the merchant, without the keys that are reserved for the service.
  metadata              TEXT NOT NULL,
  -- Receives the events of this transaction instead of the registered endpoints.
  webhook_url           TEXT,
  -- JSON of what `metadata._sandbox` asks to happen after the settlement.
  script                TEXT,
  -- Seconds from `created_at` to `expires_at`.
  expires_in            INTEGER NOT NULL,
  expires_at            INTEGER NOT NULL,
  -- The id of the Pix charge at the bank.
  txid                  TEXT NOT NULL,
  -- Opens the hosted checkout page of this transaction.
  checkout_token        TEXT NOT NULL,

  -- The acquirer's id of the transaction; null before it is issued there.
  provider_reference    TEXT,
  -- JSON of `metadata.failure` (docs/service/charges.md#metadata).
  failure               TEXT,
  -- Since when it is held for review.
  held_at               INTEGER,
  -- The method it is being paid or was paid with. It stays whatever happens to the payment later.
  paid_with             TEXT,
  paid_at               INTEGER,
  -- `E…` id of the Pix that paid it, and `D…` id of the Pix return when the money was sent back without a refund.
  end_to_end_id         TEXT,
  return_id             TEXT,
  payer_name            TEXT,
  -- In full, for the simulators; answers show it masked or not at all.
  payer_document        TEXT,
  provider_fee          INTEGER NOT NULL DEFAULT 0,
  platform_fee          INTEGER NOT NULL DEFAULT 0,
  -- The sum of the refunds that are done.
  refunded_amount       INTEGER NOT NULL DEFAULT 0,
  -- JSON of `metadata.med`, once the transaction is disputed.
  med                   TEXT,

  created_at            INTEGER NOT NULL,
  updated_at            INTEGER NOT NULL,
  -- Calendar day of `created_at` in São Paulo, in days since 1970-01-01. The figures below are kept by it.
  day                   INTEGER NOT NULL
) STRICT;
-- Serves lists by time and by method, and their counts at the edges of a period.
CREATE INDEX transactions_by_book ON transactions (book_id, created_at, seq, payment_methods);
-- Serves lists of one status, and the fraud guard, which counts the latest.
CREATE INDEX transactions_by_status ON transactions (book_id, status, created_at);
-- These serve the search for exact values (docs/decisions/046-search.md).
-- The first two leave out what waits for its payer: so they cost a create nothing.
CREATE INDEX transactions_by_txid ON transactions (txid) WHERE status <> 'WAITING_PAYMENT';
CREATE INDEX transactions_by_amount ON transactions (book_id, amount) WHERE status <> 'WAITING_PAYMENT';
CREATE INDEX transactions_by_end_to_end_id ON transactions (end_to_end_id) WHERE end_to_end_id IS NOT NULL;
CREATE INDEX transactions_by_return_id ON transactions (return_id) WHERE return_id IS NOT NULL;
-- It also serves the charges of one customer, newest first.
CREATE INDEX transactions_by_customer ON transactions (book_id, customer_tax_id, created_at)
  WHERE customer_tax_id IS NOT NULL;
CREATE INDEX transactions_by_expected_payer ON transactions (book_id, expected_payer_tax_id)
  WHERE expected_payer_tax_id IS NOT NULL;
CREATE INDEX transactions_by_payer ON transactions (book_id, payer_document) WHERE payer_document IS NOT NULL;

CREATE TABLE refunds (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  transaction_id  TEXT NOT NULL REFERENCES transactions (id),
  amount          INTEGER NOT NULL CHECK (amount > 0),
  currency        TEXT NOT NULL,
  status          TEXT NOT NULL CHECK (status IN ('PENDING', 'IN_PROGRESS', 'REFUNDED', 'FAILED')),
  reason          TEXT,
  -- How a Pix goes back: as a return of the Pix that paid, or as a new Pix. Null for other methods.
  strategy        TEXT CHECK (strategy IN ('devolution', 'cashout')),
  -- The Pix key that a cashout is sent to.
  destination_key TEXT,
  -- What the merchant pays for a cashout, besides the amount.
  fee             INTEGER NOT NULL DEFAULT 0,
  failure_reason  TEXT,
  -- `D…` of a return, `E…` of a cashout; null until it is sent.
  end_to_end_id   TEXT,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX refunds_by_transaction ON refunds (transaction_id);
-- These serve the search.
CREATE INDEX refunds_by_amount ON refunds (amount);
CREATE INDEX refunds_by_end_to_end_id ON refunds (end_to_end_id) WHERE end_to_end_id IS NOT NULL;

-- Pix transfers out of a merchant's wallet.
CREATE TABLE payouts (
  seq            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  book_id        INTEGER NOT NULL REFERENCES books (id),
  status         TEXT NOT NULL CHECK (status IN ('pending', 'paid', 'failed')),
  amount         INTEGER NOT NULL CHECK (amount > 0),
  currency       TEXT NOT NULL,
  pix_key        TEXT NOT NULL,
  pix_key_type   TEXT NOT NULL CHECK (pix_key_type IN ('CPF', 'CNPJ', 'EMAIL', 'PHONE', 'RANDOM')),
  -- Null until the payout is paid.
  end_to_end_id  TEXT,
  failure_reason TEXT,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL
) STRICT;
-- Serves the list of payouts, newest first.
CREATE INDEX payouts_by_book ON payouts (book_id);
-- These serve the search.
CREATE INDEX payouts_by_amount ON payouts (book_id, amount);
CREATE INDEX payouts_by_pix_key ON payouts (book_id, pix_key);
CREATE INDEX payouts_by_end_to_end_id ON payouts (end_to_end_id) WHERE end_to_end_id IS NOT NULL;

-- The idempotency keys that were used, each with the first answer that was given for it.
CREATE TABLE idempotency_keys (
  book_id      INTEGER NOT NULL,
  -- The kind of operation: a key may be used once for each.
  kind         TEXT NOT NULL,
  key          TEXT NOT NULL,
  -- SHA-256 of the request: the same key with another request is refused.
  request_hash TEXT NOT NULL,
  -- HTTP status of the answer.
  status       INTEGER NOT NULL,
  -- The body of the answer. When an event holds the same text as its data, `event_seq` names the event instead.
  body         TEXT,
  event_seq    INTEGER,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (book_id, kind, key),
  CHECK ((body IS NULL) <> (event_seq IS NULL))
) STRICT, WITHOUT ROWID;


-- History

-- What happened, in the order of `seq`: each move of an object through its state machine, what else changes an object, and
-- each change of the clock. A row is written in the transaction of its change and is never changed. Events, journals,
-- deliveries, e-mails and due work say which row they come from.
CREATE TABLE history (
  seq         INTEGER PRIMARY KEY,
  -- Null for the clock, which all books share.
  book_id     INTEGER,
  noun        TEXT NOT NULL CHECK (noun IN ('transaction', 'refund', 'payout', 'med_case', 'delivery', 'clock')),
  -- The id of the object; empty for the clock.
  subject     TEXT NOT NULL,
  -- The name of the move, `create` for the first one. A row that is no move has the name of another change.
  move        TEXT NOT NULL,
  -- Before and after a move. Null when there is no status, and `from_status` also for the first move.
  from_status TEXT,
  to_status   TEXT,
  -- JSON object with particulars, or null.
  data        TEXT,
  -- Why: `request POST /v1/charges`, `page POST /card/{id}`, `work transaction.expire` or `service`.
  cause       TEXT NOT NULL,
  -- The number of the request in the request log, which is in memory and ends with the process.
  request     INTEGER,
  -- The command of our own command line that sent the request.
  command     TEXT,
  -- For due work: the row that made it due.
  parent      INTEGER,
  -- The place of the request in a trace: its traceparent where the caller sent one, otherwise trace and span alone. Null
  -- without --otlp.
  trace       TEXT,
  at          INTEGER NOT NULL
) STRICT;
-- Serves the timeline of one object.
CREATE INDEX history_by_subject ON history (subject);
-- Serves the changes of the clock in a timeline.
CREATE INDEX history_of_clock ON history (seq) WHERE noun = 'clock';


-- Money

-- The ledger only grows. A journal is one movement of money: entries of one currency whose amounts sum to zero.
CREATE TABLE ledger_journals (
  id         INTEGER PRIMARY KEY,
  book_id    INTEGER NOT NULL REFERENCES books (id),
  -- What moved the money, such as `settlement` or `refund_reserve`.
  kind       TEXT NOT NULL,
  -- The id of the transaction, refund, payout or MED case that the movement belongs to.
  reference  TEXT NOT NULL,
  -- What moved the money.
  history_seq INTEGER NOT NULL REFERENCES history (seq),
  created_at INTEGER NOT NULL
) STRICT;
-- Serves the list of journals, newest first.
CREATE INDEX ledger_journals_by_book ON ledger_journals (book_id);

-- Serves the timeline of one object.
CREATE INDEX ledger_journals_by_reference ON ledger_journals (reference);

CREATE TABLE ledger_entries (
  id         INTEGER PRIMARY KEY,
  journal_id INTEGER NOT NULL REFERENCES ledger_journals (id),
  book_id    INTEGER NOT NULL,
  currency   TEXT NOT NULL,
  -- Where the money is. `available`, `pending` and `retained` (by MED cases) are the merchant's wallet. `review` is held
  -- until somebody decides about an unknown payer. `clearing` has left the wallet and has not arrived yet. `world` is
  -- everything outside the service.
  bucket     TEXT NOT NULL CHECK (bucket IN ('available', 'pending', 'retained', 'review', 'clearing', 'world',
               'provider_fees', 'platform_fees')),
  -- Positive adds to the bucket, negative takes from it.
  amount     INTEGER NOT NULL CHECK (amount <> 0)
) STRICT;
CREATE INDEX ledger_entries_by_journal ON ledger_entries (journal_id);

-- The sum of the entries of each bucket. Only the trigger below writes here.
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

-- Settled money that stays in `pending` for a while (`--settlement-hold`).
CREATE TABLE tranches (
  id             INTEGER PRIMARY KEY,
  book_id        INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  currency       TEXT NOT NULL,
  amount         INTEGER NOT NULL,
  -- When the money is to become available, and when it did.
  release_at     INTEGER NOT NULL,
  released_at    INTEGER
) STRICT;
-- Serves the next release of a currency, which the wallet shows.
CREATE INDEX tranches_to_release ON tranches (book_id, currency, release_at) WHERE released_at IS NULL;


-- Serves what is due for one transaction.
CREATE INDEX tranches_by_transaction ON tranches (transaction_id) WHERE released_at IS NULL;


-- Figures

-- What transactions add up to, by the day on which they were created. The triggers below keep it, so that lists and
-- statistics never count rows. A row whose count has gone back to zero stays.
CREATE TABLE daily_figures (
  book_id  INTEGER NOT NULL,
  -- As in `transactions.day`.
  day      INTEGER NOT NULL,
  status   TEXT NOT NULL,
  currency TEXT NOT NULL,
  -- The method of payment; empty for what is not paid. It stays whatever happens to the payment later.
  method   TEXT NOT NULL,
  -- How many transactions, and the sums of their amounts, of both fees and of what was refunded.
  count    INTEGER NOT NULL,
  gross    INTEGER NOT NULL,
  fees     INTEGER NOT NULL,
  refunded INTEGER NOT NULL,
  PRIMARY KEY (book_id, day, currency, status, method)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER transactions_count_new AFTER INSERT ON transactions BEGIN
  INSERT INTO daily_figures VALUES (NEW.book_id, NEW.day, NEW.status, NEW.currency,
    CASE WHEN NEW.paid_at IS NULL THEN '' ELSE NEW.paid_with END, 1, NEW.amount,
    NEW.provider_fee + NEW.platform_fee, NEW.refunded_amount)
  ON CONFLICT DO UPDATE SET count = count + 1, gross = gross + excluded.gross, fees = fees + excluded.fees,
    refunded = refunded + excluded.refunded;
END;
-- Takes the old row out of its sums and adds the new one to its own.
CREATE TRIGGER transactions_count_changed AFTER UPDATE ON transactions
WHEN OLD.status <> NEW.status OR OLD.paid_at IS NOT NEW.paid_at OR OLD.refunded_amount <> NEW.refunded_amount BEGIN
  UPDATE daily_figures SET count = count - 1, gross = gross - OLD.amount,
    fees = fees - OLD.provider_fee - OLD.platform_fee, refunded = refunded - OLD.refunded_amount
  WHERE book_id = OLD.book_id AND day = OLD.day AND status = OLD.status AND currency = OLD.currency
    AND method = CASE WHEN OLD.paid_at IS NULL THEN '' ELSE OLD.paid_with END;
  INSERT INTO daily_figures VALUES (NEW.book_id, NEW.day, NEW.status, NEW.currency,
    CASE WHEN NEW.paid_at IS NULL THEN '' ELSE NEW.paid_with END, 1, NEW.amount,
    NEW.provider_fee + NEW.platform_fee, NEW.refunded_amount)
  ON CONFLICT DO UPDATE SET count = count + 1, gross = gross + excluded.gross, fees = fees + excluded.fees,
    refunded = refunded + excluded.refunded;
END;

-- How many payers took how long. Each payment is counted twice: for its day, and for the 32 days that its day is one
-- of. A long period is read mostly from the larger sums, and days of their own only at its beginning.
CREATE TABLE payment_times (
  book_id  INTEGER NOT NULL,
  -- How many days the row is about.
  span     INTEGER NOT NULL CHECK (span IN (1, 32)),
  -- The first of these days, as in `transactions.day`.
  start    INTEGER NOT NULL,
  currency TEXT NOT NULL,
  -- Seconds from creation to payment, rounded to two significant digits: few values, however many people pay.
  seconds  INTEGER NOT NULL,
  count    INTEGER NOT NULL,
  PRIMARY KEY (book_id, span, start, currency, seconds)
) STRICT, WITHOUT ROWID;


-- Disputes

-- Cases of MED, the procedure by which a bank takes a Pix back, and disputes of other methods.
CREATE TABLE med_cases (
  seq                   INTEGER PRIMARY KEY,
  id                    TEXT NOT NULL UNIQUE,
  book_id               INTEGER NOT NULL REFERENCES books (id),
  transaction_id        TEXT NOT NULL REFERENCES transactions (id),
  type                  TEXT NOT NULL CHECK (type IN ('med', 'chargeback', 'dispute', 'fraud')),
  status                TEXT NOT NULL CHECK (status IN ('open', 'appealed', 'accepted', 'rejected', 'closed')),
  -- The contested amount.
  amount                INTEGER NOT NULL CHECK (amount > 0),
  currency              TEXT NOT NULL,
  reason                TEXT,
  -- How the payer says the fraud happened.
  method                TEXT NOT NULL CHECK (method IN ('scam', 'unauthorized', 'coercion', 'invasion', 'other')),
  -- What the case holds of the wallet; 0 when the contested amount is more than was left of the payment.
  held                  INTEGER NOT NULL,
  response_deadline     INTEGER,
  -- When the bank asked for evidence.
  evidence_requested_at INTEGER,
  appeal_reason         TEXT,
  appealed_at           INTEGER,
  money_outcome         TEXT CHECK (money_outcome IN ('refunded_to_merchant', 'closed_without_refund', 'lost')),
  -- 1 when the payer took the claim back.
  withdrawn             INTEGER NOT NULL,
  opened_at             INTEGER NOT NULL,
  closed_at             INTEGER,
  created_at            INTEGER NOT NULL,
  updated_at            INTEGER NOT NULL
) STRICT;
CREATE INDEX med_cases_by_book ON med_cases (book_id, created_at);
CREATE INDEX med_cases_by_transaction ON med_cases (transaction_id, book_id, created_at);

-- The merchant's files for a case. The content is in the row, so that a copy of the database has it too.
CREATE TABLE med_evidence (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  case_id     TEXT NOT NULL REFERENCES med_cases (id),
  file_name   TEXT NOT NULL,
  -- Bytes, as announced; `stored_size` is what arrived.
  file_size   INTEGER NOT NULL,
  mime_type   TEXT NOT NULL,
  uploaded_by TEXT NOT NULL CHECK (uploaded_by IN ('merchant', 'partner', 'platform')),
  -- Until when the file may be uploaded.
  expires_at  INTEGER NOT NULL,
  stored_size INTEGER,
  content     BLOB,
  -- When the merchant confirmed the upload. A case shows no evidence that is not confirmed.
  uploaded_at INTEGER,
  created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX med_evidence_by_case ON med_evidence (case_id);

-- The notices about cases that are mailed to the owner of the account.
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
  -- The change that it reports.
  history_seq INTEGER NOT NULL REFERENCES history (seq),
  -- When a mail server (`--smtp-url`) took it; null while it is in the local mailbox only.
  relayed_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX emails_by_book ON emails (book_id);
-- Serves the timeline of a case, and the list of its e-mails.
CREATE INDEX emails_by_case ON emails (case_id, book_id);


-- Work that is due later

-- Everything that happens later is a row here. The loop holds one timer, to the earliest row.
CREATE TABLE jobs (
  due_at   INTEGER NOT NULL,
  -- The id of the row that the work is about, in the table that the kind of work is about.
  subject  TEXT NOT NULL,
  kind     TEXT NOT NULL,
  -- JSON object with what the work has to know besides its subject.
  payload  TEXT NOT NULL,
  -- How often the work has failed. A failed job is due again later.
  failures INTEGER NOT NULL DEFAULT 0,
  book_id  INTEGER NOT NULL,
  -- What made it due.
  history_seq INTEGER NOT NULL,
  PRIMARY KEY (due_at, subject, kind)
) STRICT, WITHOUT ROWID;
-- Serves what is due for one object. The expiry of a transaction, which every create makes, is found at its
-- `transactions.expires_at` instead, unless it has failed and is due later.
CREATE INDEX jobs_by_subject ON jobs (subject) WHERE kind <> 'transaction.expire' OR failures > 0;


-- Webhooks

-- An event is written in the transaction of the change that it reports (an outbox).
CREATE TABLE events (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  book_id    INTEGER NOT NULL,
  type       TEXT NOT NULL,
  -- The id of the object that the event is about.
  subject    TEXT NOT NULL,
  -- JSON of the object: the part of the envelope that the other columns do not give.
  data       TEXT NOT NULL,
  -- The change that it reports.
  history_seq INTEGER NOT NULL REFERENCES history (seq),
  created_at INTEGER NOT NULL
) STRICT;
-- Serves the list of events, newest first. It has all that the list is filtered by, so no other rows are read.
CREATE INDEX events_by_book ON events (book_id, seq, type);
-- Serves the events of one object, and sending its last event again.
CREATE INDEX events_by_subject ON events (subject);

CREATE TABLE endpoints (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  book_id    INTEGER NOT NULL REFERENCES books (id),
  url        TEXT NOT NULL,
  -- The events that it wants, as `,charge.paid,charge.expired,`.
  events     TEXT NOT NULL,
  secret     TEXT NOT NULL,
  -- The secret before the last rotation. Nothing is signed with it: `why` finds receivers that still have it.
  previous_secret TEXT,
  status     TEXT NOT NULL CHECK (status IN ('ACTIVE', 'INACTIVE')),
  -- `forward` is the one endpoint that `serve --forward-to` keeps. What a `collector` is sent goes over no network.
  origin     TEXT NOT NULL CHECK (origin IN ('api', 'forward', 'collector')),
  -- 1 for the endpoint behind the webhook URL of payments: one for each address, never listed, signed with the account's
  -- secret.
  private    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;
-- Serves the list of endpoints, and finding those that want an event.
CREATE INDEX endpoints_by_book ON endpoints (book_id) WHERE private = 0;
CREATE UNIQUE INDEX endpoints_of_payments ON endpoints (book_id, url) WHERE private = 1;

-- One event on its way to one endpoint.
CREATE TABLE deliveries (
  seq                INTEGER PRIMARY KEY,
  id                 TEXT NOT NULL UNIQUE,
  book_id            INTEGER NOT NULL,
  event_seq          INTEGER NOT NULL REFERENCES events (seq),
  -- The type of its event, so that the list is filtered without it.
  event_type         TEXT NOT NULL,
  endpoint_seq       INTEGER NOT NULL REFERENCES endpoints (seq),
  -- Where a resend goes instead of to the URL of its endpoint, whose state it ignores; null for all others.
  target_url         TEXT,
  -- PROCESSING is a delivery whose attempt is under way.
  status             TEXT NOT NULL CHECK (status IN ('PENDING', 'PROCESSING', 'DELIVERED', 'FAILED', 'CANCELLED')),
  -- How many attempts have ended, and after how many the delivery is given up.
  attempts           INTEGER NOT NULL,
  max_attempts       INTEGER NOT NULL,
  next_attempt_at    INTEGER,
  -- 1 while the endpoint is INACTIVE: the delivery waits until the endpoint is ACTIVE again.
  parked             INTEGER NOT NULL,
  -- What the last attempt came to. An error is the words of a network, or {"code", "params"} of a sentence of the service.
  last_status_code   INTEGER,
  last_error         TEXT,
  last_response_body TEXT,
  delivered_at       INTEGER,
  -- The resend that made it; null for the delivery that was made with its event.
  history_seq        INTEGER REFERENCES history (seq),
  created_at         INTEGER NOT NULL,
  updated_at         INTEGER NOT NULL
) STRICT;
-- Serves the question when the next attempt is due at all.
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE status = 'PENDING' AND parked = 0;
-- Serves the deliveries of an event.
CREATE INDEX deliveries_by_event ON deliveries (event_seq);
-- These serve the list of deliveries, newest first, of any status and of one, and the statistics. They have all that the list
-- is filtered by, so no other rows are read.
CREATE INDEX deliveries_by_book ON deliveries (book_id, seq, endpoint_seq, event_type);
CREATE INDEX deliveries_by_status ON deliveries (book_id, status, seq, endpoint_seq, event_type);
-- Serves the worker, which takes what is due from each endpoint by itself: the backlog of one endpoint costs the others
-- nothing.
CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_seq, next_attempt_at)
  WHERE status IN ('PENDING', 'PROCESSING');

-- One row for each attempt that ended, with what was sent and what came back. The body that was sent is the envelope of
-- the event, and follows from its row. Rows are never changed.
CREATE TABLE delivery_attempts (
  seq          INTEGER PRIMARY KEY,
  delivery_seq INTEGER NOT NULL REFERENCES deliveries (seq),
  -- 1 for the first attempt of a delivery.
  attempt      INTEGER NOT NULL,
  -- The parts of the request that differ between attempts: the address, the headers X-QA-Signature and User-Agent, and
  -- when it was sent.
  url          TEXT NOT NULL,
  signature    TEXT NOT NULL,
  user_agent   TEXT NOT NULL,
  sent_at      INTEGER NOT NULL,
  -- What was done to it on purpose, as `,stale_timestamp,duplicate,`; null when nothing was.
  chaos        TEXT,
  -- HTTP status of the answer; null when there was none, and `error` says why.
  status_code  INTEGER,
  -- JSON object of the answer's headers, and the beginning of its body.
  headers      TEXT,
  body         TEXT,
  -- As in deliveries.last_error; null when the answer was 2xx.
  error        TEXT,
  duration_ms  INTEGER NOT NULL,
  -- The newest row of the history when it ended: the place of the attempt in a timeline.
  history_seq  INTEGER NOT NULL,
  -- When it ended.
  attempted_at INTEGER NOT NULL
) STRICT;
CREATE INDEX delivery_attempts_by_delivery ON delivery_attempts (delivery_seq);
