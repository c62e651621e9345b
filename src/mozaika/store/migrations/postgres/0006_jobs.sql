-- What is to be thought, for whichever process has time. Nothing here is missed after a crash: who asks, asks again.
CREATE UNLOGGED TABLE jobs (
    key TEXT COLLATE "C" PRIMARY KEY,  -- a digest of what is asked: the same is thought once
    what BYTEA NOT NULL,        -- JSON
    who TEXT NOT NULL,          -- for whom; people take turns
    urgent BOOLEAN NOT NULL,    -- somebody waits for it
    turn INTEGER NOT NULL,      -- how many of the same person stood before it
    asked TIMESTAMPTZ NOT NULL DEFAULT now(),
    tries INTEGER NOT NULL DEFAULT 0,
    worker TEXT,                -- who thinks about it, and until when that is believed
    until TIMESTAMPTZ,
    answer BYTEA,               -- JSON
    failure TEXT,               -- why there is no answer
    done TIMESTAMPTZ
);
CREATE INDEX jobs_waiting ON jobs (urgent DESC, turn, asked) WHERE done IS NULL;
CREATE INDEX jobs_of ON jobs (who) WHERE done IS NULL;
