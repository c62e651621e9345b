-- The last turn of a seat that somebody was called for: whoever notes it first calls, and nobody else.
CREATE TABLE calls (
    game TEXT NOT NULL REFERENCES games (id),
    seat INTEGER NOT NULL,
    seq INTEGER NOT NULL,        -- of the event with which the turn began
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;
