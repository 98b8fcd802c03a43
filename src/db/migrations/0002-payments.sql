-- Payments by every method, refunds, payouts, and the figures that lists and statistics are answered from.

ALTER TABLE transactions ADD COLUMN customer_id TEXT;
ALTER TABLE transactions ADD COLUMN webhook_url TEXT;
-- What came back to the payer of a settled transaction, in refunds that are done.
ALTER TABLE transactions ADD COLUMN refunded_amount INTEGER NOT NULL DEFAULT 0;
-- Calendar day in São Paulo, in days since 1970-01-01. Brazil has had no daylight saving time since 2019.
ALTER TABLE transactions ADD COLUMN day INTEGER NOT NULL DEFAULT 0;
UPDATE transactions SET day = (created_at - 10800000) / 86400000;
CREATE INDEX transactions_by_status ON transactions (book_id, status, created_at);

ALTER TABLE refunds ADD COLUMN strategy TEXT CHECK (strategy IN ('devolution', 'cashout'));
ALTER TABLE refunds ADD COLUMN destination_key TEXT;
-- The Pix-out fee that the merchant pays for a cashout.
ALTER TABLE refunds ADD COLUMN fee INTEGER NOT NULL DEFAULT 0;
ALTER TABLE refunds ADD COLUMN failure_reason TEXT;

CREATE TABLE payouts (
  seq            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  book_id        INTEGER NOT NULL REFERENCES books (id),
  status         TEXT NOT NULL CHECK (status IN ('pending', 'paid', 'failed')),
  amount         INTEGER NOT NULL CHECK (amount > 0),
  currency       TEXT NOT NULL,
  pix_key        TEXT NOT NULL,
  pix_key_type   TEXT NOT NULL CHECK (pix_key_type IN ('CPF', 'CNPJ', 'EMAIL', 'PHONE', 'RANDOM')),
  end_to_end_id  TEXT,
  failure_reason TEXT,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL
) STRICT;

-- `clearing` is money on its way out: taken from the wallet, not yet with whom it is for.
CREATE TABLE ledger_entries_with_clearing (
  id         INTEGER PRIMARY KEY,
  journal_id INTEGER NOT NULL REFERENCES ledger_journals (id),
  book_id    INTEGER NOT NULL,
  currency   TEXT NOT NULL,
  bucket     TEXT NOT NULL CHECK (bucket IN ('available', 'pending', 'retained', 'review', 'clearing', 'world',
               'provider_fees', 'platform_fees')),
  amount     INTEGER NOT NULL CHECK (amount <> 0)
) STRICT;
INSERT INTO ledger_entries_with_clearing SELECT id, journal_id, book_id, currency, bucket, amount FROM ledger_entries;
DROP TABLE ledger_entries;
ALTER TABLE ledger_entries_with_clearing RENAME TO ledger_entries;
CREATE INDEX ledger_entries_by_journal ON ledger_entries (journal_id);
CREATE TRIGGER ledger_entries_keep_balances AFTER INSERT ON ledger_entries BEGIN
  INSERT INTO ledger_balances (book_id, currency, bucket, balance)
  VALUES (NEW.book_id, NEW.currency, NEW.bucket, NEW.amount)
  ON CONFLICT DO UPDATE SET balance = balance + NEW.amount;
END;
CREATE TRIGGER ledger_entries_are_final BEFORE UPDATE ON ledger_entries BEGIN
  SELECT RAISE(ABORT, 'ledger entries are never edited');
END;

-- An endpoint behind the webhookUrl of payments: one for each address, never listed, signed with the account's secret.
ALTER TABLE endpoints ADD COLUMN private INTEGER NOT NULL DEFAULT 0;
DROP INDEX endpoints_by_book;
CREATE INDEX endpoints_by_book ON endpoints (book_id) WHERE private = 0;
CREATE UNIQUE INDEX endpoints_of_payments ON endpoints (book_id, url) WHERE private = 1;

CREATE INDEX events_by_subject ON events (subject);

-- What transactions add up to, by the day on which they were created: lists and statistics never count rows. `method`
-- is empty until a transaction is paid, and stays the paying one whatever happens later.
CREATE TABLE daily_figures (
  book_id  INTEGER NOT NULL,
  day      INTEGER NOT NULL,
  status   TEXT NOT NULL,
  currency TEXT NOT NULL,
  method   TEXT NOT NULL,
  count    INTEGER NOT NULL,
  gross    INTEGER NOT NULL,
  fees     INTEGER NOT NULL,
  refunded INTEGER NOT NULL,
  PRIMARY KEY (book_id, day, currency, status, method)
) STRICT, WITHOUT ROWID;

INSERT INTO daily_figures
SELECT book_id, day, status, currency, CASE WHEN paid_at IS NULL THEN '' ELSE paid_with END, COUNT(*), SUM(amount),
       SUM(provider_fee + platform_fee), SUM(refunded_amount)
  FROM transactions GROUP BY 1, 2, 3, 4, 5;

CREATE TRIGGER transactions_count_new AFTER INSERT ON transactions BEGIN
  INSERT INTO daily_figures VALUES (NEW.book_id, NEW.day, NEW.status, NEW.currency,
    CASE WHEN NEW.paid_at IS NULL THEN '' ELSE NEW.paid_with END, 1, NEW.amount,
    NEW.provider_fee + NEW.platform_fee, NEW.refunded_amount)
  ON CONFLICT DO UPDATE SET count = count + 1, gross = gross + excluded.gross, fees = fees + excluded.fees,
    refunded = refunded + excluded.refunded;
END;
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

-- How long payers took, in seconds of two significant digits: bounded, however many pay. Kept for each day and again for
-- each 32 of them, whose first is `start`, so that a long window is mostly read from the few larger sums.
CREATE TABLE payment_times (
  book_id  INTEGER NOT NULL,
  span     INTEGER NOT NULL CHECK (span IN (1, 32)),
  start    INTEGER NOT NULL,
  currency TEXT NOT NULL,
  seconds  INTEGER NOT NULL,
  count    INTEGER NOT NULL,
  PRIMARY KEY (book_id, span, start, currency, seconds)
) STRICT, WITHOUT ROWID;
