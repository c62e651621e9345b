-- What draws come from stands alone, so that nothing that is shown to anybody reads it by the way.
CREATE TABLE seeds (
    game TEXT NOT NULL REFERENCES games (id),
    epoch INTEGER NOT NULL,     -- 0 is the one with which a table of one guest begins
    seed TEXT NOT NULL,
    PRIMARY KEY (game, epoch)
) WITHOUT ROWID;

INSERT INTO seeds (game, epoch, seed)
    SELECT id, 0, json_extract(CAST(header AS TEXT), '$.seed') FROM games
    WHERE json_extract(CAST(header AS TEXT), '$.seed') IS NOT NULL;

UPDATE games SET header = CAST(json_remove(CAST(header AS TEXT), '$.seed') AS BLOB);
