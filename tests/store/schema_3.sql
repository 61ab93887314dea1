PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE deleted (
        number INTEGER PRIMARY KEY,
        game_id TEXT NOT NULL UNIQUE,
        deleted TEXT NOT NULL,
        entries_count INTEGER NOT NULL,
        checksum INTEGER NOT NULL);
INSERT INTO "deleted" VALUES(2,'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','2026-05-06T07:08:09.000+00:00',1,1195396326);
CREATE TABLE document (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        version INTEGER NOT NULL CHECK (typeof(version) = 'integer' AND version >= 0),
        current TEXT REFERENCES games (game_id),
        last_number INTEGER NOT NULL,
        last_seq INTEGER NOT NULL, kept_count INTEGER NOT NULL DEFAULT 0);
INSERT INTO "document" VALUES(1,15,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',3,4,2);
CREATE TABLE entries (
        seq INTEGER PRIMARY KEY,
        game_id TEXT NOT NULL REFERENCES games (game_id),
        kind TEXT NOT NULL CHECK (kind IN ('observation', 'commit', 'rewrite', 'take-back', 'correction',
            'ruling', 'undo', 'redo', 'mask')),
        at_ms INTEGER NOT NULL CHECK (typeof(at_ms) = 'integer'),
        wall_time TEXT NOT NULL,
        body TEXT NOT NULL,
        checksum INTEGER NOT NULL);
INSERT INTO "entries" VALUES(1,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','observation',100,'2026-05-06T07:08:09.000+00:00','{"nonce":7,"complete_ms":100}',2850208564);
INSERT INTO "entries" VALUES(2,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','mask',150,'2026-05-06T07:08:09.000+00:00','{"by":"operator","sensors":[36],"masked":true,"note":"\u201eklemmt\u201c"}',4247590310);
INSERT INTO "entries" VALUES(4,'cccccccccccccccccccccccccccccccc','commit',300,'2026-05-06T07:08:09.000+00:00','{"of":"c"}',497503321);
CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        game_id TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        pinned TEXT NOT NULL,
        started TEXT NOT NULL,
        checksum INTEGER NOT NULL);
INSERT INTO "games" VALUES(1,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','cirkis','{"rulebook":"hasbro"}','2026-05-06T07:08:09.000+00:00',1655968794);
INSERT INTO "games" VALUES(3,'cccccccccccccccccccccccccccccccc','cirkis','{}','2026-05-06T07:08:09.000+00:00',3576798309);
CREATE TABLE kept (
        number INTEGER PRIMARY KEY,
        game TEXT NOT NULL,
        name TEXT NOT NULL,
        body TEXT NOT NULL,
        changed TEXT NOT NULL,
        checksum INTEGER NOT NULL,
        UNIQUE (game, name));
INSERT INTO "kept" VALUES(1,'ligretto','rot','{"tags":{"04A1B2C3D4E5F6":["blue",4]}}','2026-06-07T08:09:10.000+00:00',1094753520);
INSERT INTO "kept" VALUES(3,'ligretto','grün','{"tags":{"0102030A":["red",10]}}','2026-06-07T08:09:10.000+00:00',3431818241);
CREATE INDEX entries_of_game ON entries (game_id, seq);
CREATE TRIGGER entries_in_order BEFORE INSERT ON entries
        WHEN NEW.seq <> (SELECT last_seq + 1 FROM document)
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER entries_counted AFTER INSERT ON entries
        BEGIN UPDATE document SET last_seq = NEW.seq; END;
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER entries_remain BEFORE DELETE ON entries
        WHEN NOT EXISTS (SELECT 1 FROM deleted WHERE game_id = OLD.game_id)
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER games_in_order BEFORE INSERT ON games
        WHEN NEW.number <> (SELECT last_number + 1 FROM document)
            OR EXISTS (SELECT 1 FROM games WHERE game_id = NEW.game_id)
            OR EXISTS (SELECT 1 FROM deleted WHERE game_id = NEW.game_id)
        BEGIN SELECT RAISE(ABORT, 'games are only added'); END;
CREATE TRIGGER games_counted AFTER INSERT ON games
        BEGIN UPDATE document SET last_number = NEW.number; END;
CREATE TRIGGER games_stay BEFORE UPDATE ON games
        BEGIN SELECT RAISE(ABORT, 'what a game was begun with never changes'); END;
CREATE TRIGGER games_remain BEFORE DELETE ON games
        WHEN NOT EXISTS (SELECT 1 FROM deleted WHERE game_id = OLD.game_id)
        BEGIN SELECT RAISE(ABORT, 'games are only added, or deleted whole'); END;
CREATE TRIGGER deleted_was_a_game BEFORE INSERT ON deleted
        WHEN NOT EXISTS (SELECT 1 FROM games WHERE game_id = NEW.game_id AND number = NEW.number)
            OR NEW.game_id IS (SELECT current FROM document)
            OR NEW.entries_count <> (SELECT count(*) FROM entries WHERE game_id = NEW.game_id)
        BEGIN SELECT RAISE(ABORT, 'only a whole game is ever deleted, and never the current one'); END;
CREATE TRIGGER deleted_stay BEFORE UPDATE ON deleted
        BEGIN SELECT RAISE(ABORT, 'that a game was deleted never changes'); END;
CREATE TRIGGER deleted_remain BEFORE DELETE ON deleted
        BEGIN SELECT RAISE(ABORT, 'that a game was deleted never changes'); END;
CREATE TRIGGER document_rises BEFORE UPDATE ON document
        WHEN NEW.version < OLD.version OR NEW.last_number < OLD.last_number OR NEW.last_seq < OLD.last_seq
        BEGIN SELECT RAISE(ABORT, 'the document version never falls'); END;
CREATE TRIGGER document_remains BEFORE DELETE ON document
        BEGIN SELECT RAISE(ABORT, 'the document version never falls'); END;
CREATE TRIGGER document_is_one BEFORE INSERT ON document
        BEGIN SELECT RAISE(ABORT, 'the document version never falls'); END;
CREATE TRIGGER kept_once BEFORE INSERT ON kept
        WHEN EXISTS (SELECT 1 FROM kept
            WHERE number = NEW.number OR (game = NEW.game AND name = NEW.name))
        BEGIN SELECT RAISE(ABORT, 'what is kept is changed in its place'); END;
CREATE TRIGGER kept_stays_itself BEFORE UPDATE OF number, game, name ON kept
        BEGIN SELECT RAISE(ABORT, 'what is kept never changes its name'); END;
CREATE TRIGGER kept_counted AFTER INSERT ON kept
        BEGIN UPDATE document SET kept_count = kept_count + 1; END;
CREATE TRIGGER kept_uncounted AFTER DELETE ON kept
        BEGIN UPDATE document SET kept_count = kept_count - 1; END;
COMMIT;
