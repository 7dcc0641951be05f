BEGIN TRANSACTION;
CREATE TABLE documents (sha256 TEXT PRIMARY KEY, document TEXT NOT NULL);
INSERT INTO "documents" VALUES('a627cdef47d90beb8922c69653ebe40592d9af103fb4e925c2dee8bc0615f83e','{"result":1}');
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
INSERT INTO "entries" VALUES(1,'2026-11-22T12:55:44+00:00','budget','18b0a4bddb05ff5f99696c3241e674eebbfdf9898874eaebae0151fe2ea831d0','','{"delta":"0","epsilon":"1","key":2,"neighbors":"add-remove","title":"Ward 7"}','11f785016ace037384a6cf4ec564db6319b970c8f7863b2c042c3106fd25ded8','78cb5b3530c12b5b651368f812b65d1158834740e34e6471f21639a2187151b1');
INSERT INTO "entries" VALUES(2,'2026-11-22T12:55:44+00:00','charge','18b0a4bddb05ff5f99696c3241e674eebbfdf9898874eaebae0151fe2ea831d0','r1','{"awaited":false,"delta":"0","epsilon":"1/10","label":"curve","mechanism":"laplace","part":[]}','78cb5b3530c12b5b651368f812b65d1158834740e34e6471f21639a2187151b1','647a0927ae33458f38c45d4d8475fd45ef6a2aba531af4c3ad644f402769f9f8');
INSERT INTO "entries" VALUES(3,'2026-11-22T12:55:44+00:00','charge','18b0a4bddb05ff5f99696c3241e674eebbfdf9898874eaebae0151fe2ea831d0','r2','{"awaited":true,"delta":"0","epsilon":"1/5","label":"model","mechanism":"moments","part":[["split (coins of r2, attempt 1)","train",true]]}','647a0927ae33458f38c45d4d8475fd45ef6a2aba531af4c3ad644f402769f9f8','57e4e656fbdf99f44552812b89d060b1044322c128552e32d4bab2b0931ee015');
INSERT INTO "entries" VALUES(4,'2026-11-22T12:55:44+00:00','release','18b0a4bddb05ff5f99696c3241e674eebbfdf9898874eaebae0151fe2ea831d0','r2','{"sha256":"a627cdef47d90beb8922c69653ebe40592d9af103fb4e925c2dee8bc0615f83e"}','57e4e656fbdf99f44552812b89d060b1044322c128552e32d4bab2b0931ee015','a2d13818ec0188205a20cac37d2df459e89a62e2d969b963517f140cdd5717e8');
INSERT INTO "entries" VALUES(5,'2026-11-22T12:55:44+00:00','charge','18b0a4bddb05ff5f99696c3241e674eebbfdf9898874eaebae0151fe2ea831d0','r3','{"awaited":true,"delta":"0","epsilon":"3/10","label":"curve","mechanism":"laplace","part":[]}','a2d13818ec0188205a20cac37d2df459e89a62e2d969b963517f140cdd5717e8','5992b1cd485e44322e8f07967477369a19fd426a402b84dff7271fe8ace4cfcd');
INSERT INTO "entries" VALUES(6,'2026-11-22T12:55:44+00:00','void','18b0a4bddb05ff5f99696c3241e674eebbfdf9898874eaebae0151fe2ea831d0','r3','{"reason":"the process ended between the charge and the result"}','5992b1cd485e44322e8f07967477369a19fd426a402b84dff7271fe8ace4cfcd','567e6f8b80a27992c2dcbd40b5a1022d005cf2dcb214436633c85ccd561d7fc4');
INSERT INTO "entries" VALUES(7,'2026-11-22T12:55:44+00:00','budget','dea08496a2d07de7e7c49ee4cd17addb1aa8c3105d739d8367fce6326de76f7d','','{"delta":"0","epsilon":"1/3","key":2,"neighbors":"replace","title":"Clinic"}','567e6f8b80a27992c2dcbd40b5a1022d005cf2dcb214436633c85ccd561d7fc4','8f015ef62b78bbe2ec139dd154485df89970f4982be0bb5f7f041a31db741141');
INSERT INTO "entries" VALUES(8,'2026-11-22T12:55:44+00:00','reserve','dea08496a2d07de7e7c49ee4cd17addb1aa8c3105d739d8367fce6326de76f7d','','{"delta":"0","epsilon":"1/10"}','8f015ef62b78bbe2ec139dd154485df89970f4982be0bb5f7f041a31db741141','c3cc7252f3ab8531cd5130a19fef4c2d192aa51b2e65f9ce1cf97d5b34b3cf7f');
CREATE TABLE secret (key BLOB NOT NULL);
INSERT INTO "secret" VALUES(X'6A99BB07DDB291411ABF1B38704BB20214799A23E9428051B73838811D3DBF7D');
CREATE UNIQUE INDEX one_release ON entries (data, request) WHERE kind = 'release';
CREATE UNIQUE INDEX one_budget ON entries (data) WHERE kind = 'budget';
CREATE INDEX by_request ON entries (data, request);
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
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('entries',8);
COMMIT;
