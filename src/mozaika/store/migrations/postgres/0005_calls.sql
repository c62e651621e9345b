-- The last turn of a seat that somebody was called for: whoever notes it first calls, and nobody else.
CREATE TABLE calls (
    game TEXT COLLATE "C" NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    seq BIGINT NOT NULL,        -- of the event with which the turn began
    PRIMARY KEY (game, seat)
);
