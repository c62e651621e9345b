-- When somebody last looked at a table, to the day: what nobody uses any more can be cleared away.
CREATE TABLE visits (
    game TEXT PRIMARY KEY REFERENCES games (id),
    at REAL NOT NULL
) WITHOUT ROWID;
