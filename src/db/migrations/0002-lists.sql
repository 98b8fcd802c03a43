-- What lists with a filter or an order need, so that they are as quick in a large file as in a small one
-- (docs/decisions/015-lists-and-figures.md).

-- Serves the charges of one customer, newest first, and the search.
DROP INDEX transactions_by_customer;
CREATE INDEX transactions_by_customer ON transactions (book_id, customer_tax_id, created_at)
  WHERE customer_tax_id IS NOT NULL;
-- Serves payments in the order of their customers. It leaves out what waits for its payer: so it costs a create nothing.
CREATE INDEX transactions_by_customer_name ON transactions (book_id, customer_name) WHERE status <> 'WAITING_PAYMENT';

-- These serve lists that are filtered.
CREATE INDEX refunds_by_status ON refunds (status);
DROP INDEX refunds_by_transaction;
CREATE INDEX refunds_by_transaction ON refunds (transaction_id, status);
CREATE INDEX payouts_by_book ON payouts (book_id);
CREATE INDEX payouts_by_status ON payouts (book_id, status);
CREATE INDEX med_cases_by_status ON med_cases (book_id, status, created_at);
CREATE INDEX med_cases_by_type ON med_cases (book_id, type, created_at);
CREATE INDEX med_cases_by_both ON med_cases (book_id, status, type, created_at);
DROP INDEX med_cases_by_transaction;
CREATE INDEX med_cases_by_transaction ON med_cases (transaction_id, book_id, created_at);
CREATE INDEX emails_by_kind ON emails (book_id, kind);
DROP INDEX emails_by_case;
CREATE INDEX emails_by_case ON emails (case_id, book_id);


-- In which parts of a long list a value is: a list of rare rows reads these parts alone. A block is 512 rows, by their
-- `seq` or `id`. Where an index would get an entry for each row, this table gets one for each block.
CREATE TABLE list_blocks (
  list    TEXT NOT NULL CHECK (list IN ('events', 'deliveries', 'journals')),
  book_id INTEGER NOT NULL,
  -- Of an event its type, of a journal its currency, of a delivery the type of its event and its endpoint.
  value   TEXT NOT NULL,
  -- The number of the row, divided by 512.
  block   INTEGER NOT NULL,
  PRIMARY KEY (list, book_id, value, block)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER events_have_blocks AFTER INSERT ON events BEGIN
  INSERT INTO list_blocks VALUES ('events', NEW.book_id, NEW.type, NEW.seq / 512) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER ledger_entries_have_blocks AFTER INSERT ON ledger_entries BEGIN
  INSERT INTO list_blocks VALUES ('journals', NEW.book_id, NEW.currency, NEW.journal_id / 512) ON CONFLICT DO NOTHING;
END;


-- How many deliveries there are, so that lists and statistics never count rows. The triggers below keep it.
CREATE TABLE delivery_figures (
  book_id      INTEGER NOT NULL,
  -- The type of the event.
  type         TEXT NOT NULL,
  -- 0 for the webhook URLs of payments together: there may be one for each payment.
  endpoint_seq INTEGER NOT NULL,
  -- OPEN is PENDING and PROCESSING together: an attempt that begins changes no row here.
  status       TEXT NOT NULL CHECK (status IN ('OPEN', 'DELIVERED', 'FAILED', 'CANCELLED')),
  count        INTEGER NOT NULL,
  PRIMARY KEY (book_id, type, endpoint_seq, status)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER deliveries_count_new AFTER INSERT ON deliveries BEGIN
  INSERT INTO delivery_figures
  SELECT NEW.book_id, e.type, p.seq * (p.private = 0), iif(NEW.status IN ('PENDING', 'PROCESSING'), 'OPEN', NEW.status), 1
    FROM events e JOIN endpoints p WHERE e.seq = NEW.event_seq AND p.seq = NEW.endpoint_seq
  ON CONFLICT DO UPDATE SET count = count + 1;
  INSERT INTO list_blocks
  SELECT 'deliveries', NEW.book_id, e.type || ' ' || (p.seq * (p.private = 0)), NEW.seq / 512
    FROM events e JOIN endpoints p WHERE e.seq = NEW.event_seq AND p.seq = NEW.endpoint_seq
  ON CONFLICT DO NOTHING;
END;
-- Takes the delivery out of its old count and adds it to the new one.
CREATE TRIGGER deliveries_count_changed AFTER UPDATE OF status ON deliveries
WHEN iif(OLD.status IN ('PENDING', 'PROCESSING'), 'OPEN', OLD.status)
  <> iif(NEW.status IN ('PENDING', 'PROCESSING'), 'OPEN', NEW.status) BEGIN
  INSERT INTO delivery_figures
  SELECT NEW.book_id, e.type, p.seq * (p.private = 0), s.status, s.change
    FROM events e JOIN endpoints p
    JOIN (SELECT iif(OLD.status IN ('PENDING', 'PROCESSING'), 'OPEN', OLD.status) AS status, -1 AS change
          UNION ALL SELECT iif(NEW.status IN ('PENDING', 'PROCESSING'), 'OPEN', NEW.status), 1) s
   WHERE e.seq = NEW.event_seq AND p.seq = NEW.endpoint_seq
  ON CONFLICT DO UPDATE SET count = count + excluded.count;
END;

INSERT INTO list_blocks SELECT DISTINCT 'events', book_id, type, seq / 512 FROM events;
INSERT INTO list_blocks SELECT DISTINCT 'journals', book_id, currency, journal_id / 512 FROM ledger_entries;
INSERT INTO list_blocks
SELECT DISTINCT 'deliveries', d.book_id, e.type || ' ' || (p.seq * (p.private = 0)), d.seq / 512
  FROM deliveries d JOIN events e ON e.seq = d.event_seq JOIN endpoints p ON p.seq = d.endpoint_seq;
INSERT INTO delivery_figures
SELECT d.book_id, e.type, p.seq * (p.private = 0), iif(d.status IN ('PENDING', 'PROCESSING'), 'OPEN', d.status), COUNT(*)
  FROM deliveries d JOIN events e ON e.seq = d.event_seq JOIN endpoints p ON p.seq = d.endpoint_seq GROUP BY 1, 2, 3, 4;
