-- A game is its log. Rows are only ever added. The same number means the same tables as in the other dialect.
CREATE TABLE games (
    id TEXT COLLATE "C" PRIMARY KEY,
    header TEXT NOT NULL,       -- JSON: the game, its options, who owns the table
    created DOUBLE PRECISION NOT NULL
);

CREATE TABLE log (
    game TEXT COLLATE "C" NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,        -- one accepted event for each number
    seat INTEGER NOT NULL,
    command TEXT COLLATE "C",   -- the client's own id of what it asked for: asked twice is asked once
    kind TEXT NOT NULL,
    text BYTEA NOT NULL,        -- UTF-8; a text of PostgreSQL cannot hold every character
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (game, seq),
    UNIQUE (game, seat, command)
);

-- Which guests may do more than watch a table; the tables of a guest.
CREATE TABLE admitted (
    guest TEXT COLLATE "C" NOT NULL,  -- a digest of the secret in the guest's cookie
    game TEXT COLLATE "C" NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (guest, game)
);
CREATE INDEX admitted_to ON admitted (game);

-- What draws come from stands alone, so that nothing that is shown to anybody reads it by the way.
CREATE TABLE seeds (
    game TEXT COLLATE "C" NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    epoch INTEGER NOT NULL,     -- 0 is the one with which a table of one guest begins
    seed TEXT NOT NULL,
    PRIMARY KEY (game, epoch)
);

-- When somebody last looked at a table, to the day: what nobody uses any more can be cleared away.
CREATE TABLE visits (
    game TEXT COLLATE "C" PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    at DOUBLE PRECISION NOT NULL
);

-- Addresses that people want to have called at their turn. They can be deleted, so they do not stand in the log.
CREATE TABLE hooks (
    game TEXT COLLATE "C" NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    guest TEXT COLLATE "C" NOT NULL,  -- whose it is; it ends when they leave the seat
    url TEXT NOT NULL,
    key TEXT NOT NULL,          -- with which calls are signed
    PRIMARY KEY (game, seat)
);
