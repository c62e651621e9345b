-- A game is its log. Rows are only ever added.
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    header BLOB NOT NULL,       -- JSON: the game, its options, the seed, who owns the table
    created REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE log (
    game TEXT NOT NULL REFERENCES games (id),
    seq INTEGER NOT NULL,       -- one accepted event for each number
    seat INTEGER NOT NULL,
    command TEXT,               -- the client's own id of what it asked for: asked twice is asked once
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (game, seq),
    UNIQUE (game, seat, command)
) WITHOUT ROWID;

-- Which guests may do more than watch a table; the tables of a guest.
CREATE TABLE admitted (
    guest TEXT NOT NULL,        -- a digest of the secret in the guest's cookie
    game TEXT NOT NULL REFERENCES games (id),
    at REAL NOT NULL,
    PRIMARY KEY (guest, game)
) WITHOUT ROWID;
