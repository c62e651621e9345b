-- What each decision of a game was worth: thought once, for everybody who asks. It follows from the log.
CREATE TABLE reviews (
    game TEXT COLLATE "C" PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    of TEXT COLLATE "C" NOT NULL,  -- which moves, and who judges: of something else it is worth nothing
    text TEXT NOT NULL,         -- JSON, as far as it is known
    whole BOOLEAN NOT NULL
);
