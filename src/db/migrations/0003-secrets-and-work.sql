-- The secret before the last rotation. Nothing is signed with it: `why` finds receivers that still have it.
ALTER TABLE endpoints ADD COLUMN previous_secret TEXT;

-- Serves what is due for one object. The expiry of a transaction, which every create makes, is found at its
-- `transactions.expires_at` instead, unless it has failed and is due later.
DROP INDEX jobs_by_subject;
CREATE INDEX jobs_by_subject ON jobs (subject) WHERE kind <> 'transaction.expire' OR failures > 0;
