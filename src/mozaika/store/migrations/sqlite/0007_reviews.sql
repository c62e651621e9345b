-- What each decision of a game was worth: thought once, for everybody who asks. It follows from the log.
CREATE TABLE reviews (
    game TEXT PRIMARY KEY REFERENCES games (id),
    of TEXT NOT NULL,           -- which moves, and who judges: of something else it is worth nothing
    text TEXT NOT NULL,         -- JSON, as far as it is known
    whole INTEGER NOT NULL
) WITHOUT ROWID;
