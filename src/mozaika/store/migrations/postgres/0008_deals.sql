-- A deal: draws and opponents that several people play, each at a table of their own.
CREATE TABLE deals (
    id TEXT COLLATE "C" PRIMARY KEY,
    day TEXT COLLATE "C" NOT NULL,  -- such as 2026-11-18; empty for a challenge
    about TEXT NOT NULL,        -- JSON: the game, its options, who plays, what was fixed beforehand
    created DOUBLE PRECISION NOT NULL
);
CREATE INDEX deals_by_day ON deals (day);

-- As with the seeds of tables: nothing that is shown to anybody reads them by the way.
CREATE TABLE deal_seeds (
    deal TEXT COLLATE "C" PRIMARY KEY REFERENCES deals (id) ON DELETE CASCADE,
    seed TEXT NOT NULL
);

-- Who has begun a deal. It stays when its table is removed: who forgets a game has not begun anew.
CREATE TABLE attempts (
    game TEXT COLLATE "C" PRIMARY KEY,  -- the table
    deal TEXT COLLATE "C" NOT NULL REFERENCES deals (id) ON DELETE CASCADE,
    guest TEXT COLLATE "C" NOT NULL,
    number INTEGER NOT NULL,    -- of this guest at this deal, from 1
    name TEXT NOT NULL,
    place TEXT NOT NULL,        -- a digest of the address, another one for each deal
    begun DOUBLE PRECISION NOT NULL,
    ended DOUBLE PRECISION NOT NULL,  -- 0 while it goes on
    result TEXT NOT NULL,       -- JSON; empty if it was given up
    UNIQUE (deal, guest, number)
);
CREATE INDEX attempts_of ON attempts (guest);

-- Games in which somebody has asked for a hint, or what to expect.
CREATE TABLE helps (game TEXT COLLATE "C" PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE);
