PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        game_id TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        pinned TEXT NOT NULL,
        started TEXT NOT NULL,
        checksum INTEGER NOT NULL,
        put_aside TEXT);
INSERT INTO games VALUES(1,'0123456789abcdef0123456789abcdef','cirkis','{"rulebook":"hasbro"}','2026-01-02T03:04:05.000+00:00',4219812761,NULL);
CREATE TABLE entries (
        seq INTEGER PRIMARY KEY,
        game_id TEXT NOT NULL REFERENCES games (game_id),
        kind TEXT NOT NULL CHECK (kind IN ('observation', 'commit', 'rewrite', 'take-back', 'correction',
            'ruling', 'undo', 'redo')),
        at_ms INTEGER NOT NULL CHECK (typeof(at_ms) = 'integer'),
        wall_time TEXT NOT NULL,
        body TEXT NOT NULL,
        checksum INTEGER NOT NULL);
INSERT INTO entries VALUES(1,'0123456789abcdef0123456789abcdef','observation',100,'2026-01-02T03:04:05.000+00:00','{"nonce":7,"complete_ms":100}',991788310);
INSERT INTO entries VALUES(2,'0123456789abcdef0123456789abcdef','take-back',2000,'2026-01-02T03:04:05.000+00:00','{"why":"\u201e\u00fcbersehen\u201c"}',1574645581);
CREATE TABLE document (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        version INTEGER NOT NULL CHECK (typeof(version) = 'integer' AND version >= 0));
INSERT INTO document VALUES(1,12);
CREATE INDEX entries_of_game ON entries (game_id, seq);
CREATE TRIGGER entries_in_order BEFORE INSERT ON entries
        WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM entries)
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER entries_remain BEFORE DELETE ON entries
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER games_in_order BEFORE INSERT ON games
        WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM games)
        BEGIN SELECT RAISE(ABORT, 'games are only added'); END;
CREATE TRIGGER games_stay BEFORE UPDATE OF number, game_id, game, pinned, started, checksum ON games
        BEGIN SELECT RAISE(ABORT, 'what a game was begun with never changes'); END;
CREATE TRIGGER games_remain BEFORE DELETE ON games
        BEGIN SELECT RAISE(ABORT, 'games are only added'); END;
CREATE TRIGGER version_rises BEFORE UPDATE ON document WHEN NEW.version < OLD.version
        BEGIN SELECT RAISE(ABORT, 'the document version never falls'); END;
CREATE TRIGGER version_remains BEFORE DELETE ON document
        BEGIN SELECT RAISE(ABORT, 'the document version never falls'); END;
COMMIT;
