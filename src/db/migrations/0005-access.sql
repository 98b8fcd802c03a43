-- Who may log in to the dashboard, which tokens no longer work, and what was done to API keys.

-- `password_hash` carries the parameters of its own derivation; the password itself is nowhere.
CREATE TABLE users (
  id            TEXT PRIMARY KEY,
  account_id    TEXT NOT NULL REFERENCES accounts (id),
  email         TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  role          TEXT NOT NULL CHECK (role IN ('OWNER', 'ADMIN', 'MEMBER')),
  password_hash TEXT NOT NULL,
  created_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX users_by_account ON users (account_id);

-- A token is never stored: only the id of one that was logged out before its time.
CREATE TABLE revoked_tokens (
  jti        TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  account_id  TEXT NOT NULL REFERENCES accounts (id),
  action      TEXT NOT NULL CHECK (action IN ('api_key.issued', 'api_key.rotated', 'api_key.revoked')),
  user_id     TEXT NOT NULL,
  key_id      TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_by_account ON audit (account_id);

CREATE INDEX api_keys_by_book ON api_keys (book_id) WHERE revoked_at IS NULL;
