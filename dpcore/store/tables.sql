CREATE TABLE entries (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    moment TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('budget', 'reserve', 'charge', 'release', 'void')),
    data TEXT NOT NULL,
    request TEXT NOT NULL,
    facts TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE
);
CREATE UNIQUE INDEX one_release ON entries (data, request) WHERE kind = 'release';
CREATE UNIQUE INDEX one_budget ON entries (data) WHERE kind = 'budget';
CREATE TABLE documents (sha256 TEXT PRIMARY KEY, document TEXT NOT NULL);
CREATE TABLE secret (key BLOB NOT NULL);
CREATE TRIGGER entries_in_order BEFORE INSERT ON entries
WHEN NEW.number IS NOT (SELECT COALESCE(MAX(number), 0) + 1 FROM entries)
BEGIN SELECT RAISE(ABORT, 'entries are numbered one by one'); END;
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER entries_remain BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER documents_stay BEFORE UPDATE ON documents
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER documents_remain BEFORE DELETE ON documents
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER secret_stays BEFORE UPDATE ON secret
BEGIN SELECT RAISE(ABORT, 'the key is made once'); END;
CREATE TRIGGER secret_remains BEFORE DELETE ON secret
BEGIN SELECT RAISE(ABORT, 'the key is made once'); END;
