-- Addresses that people want to have called at their turn. They can be deleted, so they do not stand in the log.
CREATE TABLE hooks (
    game TEXT NOT NULL REFERENCES games (id),
    seat INTEGER NOT NULL,
    guest TEXT NOT NULL,        -- whose it is; it ends when they leave the seat
    url TEXT NOT NULL,
    key TEXT NOT NULL,          -- with which calls are signed
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;

UPDATE log SET text = '' WHERE kind = 'hook';
