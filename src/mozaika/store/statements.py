"""What PostgreSQL is asked for. A game with its events, seeds and owner is one statement: all or nothing."""

_SEEDS = "INSERT INTO seeds (game, epoch, seed) SELECT $1, * FROM unnest($8::int[], $9::text[])"
_EVENTS = """
    INSERT INTO log (game, seq, seat, kind, text, command, at)
    SELECT $1, * FROM unnest($2::bigint[], $3::int[], $4::text[], $5::bytea[], $6::text[], $7::float8[])
"""
APPEND = f"WITH kept AS ({_EVENTS}) {_SEEDS}"
CREATE = f"""
    WITH founded AS (INSERT INTO games (id, header, created) VALUES ($1, $10, $11)),
    owned AS (INSERT INTO admitted (guest, game, at) VALUES ($12, $1, $13)),
    kept AS ({_EVENTS}) {_SEEDS}
"""  # noqa: S608  our own words
LOG = "SELECT seq, seat, kind, text, command, at FROM log WHERE game = $1 ORDER BY seq"
SINCE = "SELECT seq, seat, kind, text, command, at FROM log WHERE game = $1 AND seq > $2 ORDER BY seq"
ADMIT = "INSERT INTO admitted (guest, game, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
DISMISS = "DELETE FROM admitted WHERE game = $1 AND guest <> ALL ($2::text[])"
BEHIND = """
    SELECT known.game FROM unnest($1::text[], $2::bigint[]) AS known (game, seq)
    WHERE NOT EXISTS (SELECT 1 FROM games WHERE id = known.game)
    OR EXISTS (SELECT 1 FROM log WHERE log.game = known.game AND log.seq > known.seq)
"""
LIST = """
    SELECT games.id, games.header, games.created,
           count(log.seq), coalesce(max(log.at), 0), coalesce(visits.at, 0)
    FROM games LEFT JOIN log ON log.game = games.id LEFT JOIN visits ON visits.game = games.id
    GROUP BY games.id, visits.at
    ORDER BY greatest(games.created, max(log.at), visits.at)
"""
VISIT = """
    INSERT INTO visits (game, at) SELECT id, $2 FROM games WHERE id = $1
    ON CONFLICT (game) DO UPDATE SET at = excluded.at
"""
REMOVE = """
    DELETE FROM games WHERE id = $1 AND greatest(
        created, (SELECT max(at) FROM log WHERE game = $1), (SELECT at FROM visits WHERE game = $1)
    ) < $2 RETURNING 1
"""
HANG = """
    INSERT INTO hooks (game, seat, guest, url, key) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (game, seat) DO UPDATE SET guest = excluded.guest, url = excluded.url, key = excluded.key
"""
NOTE_CALL = """
    INSERT INTO calls (game, seat, seq) VALUES ($1, $2, $3)
    ON CONFLICT (game, seat) DO UPDATE SET seq = excluded.seq WHERE calls.seq < excluded.seq RETURNING 1
"""
REVIEW = "SELECT of, text, whole FROM reviews WHERE game = $1"
KEEP_REVIEW = """
    INSERT INTO reviews (game, of, text, whole) SELECT id, $2, $3, $4 FROM games WHERE id = $1
    ON CONFLICT (game) DO UPDATE SET of = excluded.of, text = excluded.text, whole = excluded.whole
    WHERE reviews.of <> excluded.of OR NOT reviews.whole
"""
RESUMABLE = """
    WITH used AS (
        SELECT id, greatest(created, (SELECT at FROM visits WHERE game = id)) AS at FROM games
    )
    SELECT id FROM used
    WHERE at > (SELECT max(at) FROM used) - 2 * 86400
    AND EXISTS (
        SELECT 1 FROM log WHERE game = id AND kind = 'sit' AND position('"kind":"bot"'::bytea IN text) > 0
    )
    ORDER BY (SELECT log.at FROM log WHERE game = id ORDER BY seq DESC LIMIT 1) DESC LIMIT $1
"""
ABOUT = """
    SELECT created, header, coalesce((SELECT at FROM visits WHERE game = id), 0) FROM games WHERE id = $1
"""
PUT_JOB = """
    INSERT INTO jobs (key, what, who, urgent, turn)
    SELECT $1, $2, $3, $4, line.length
    FROM (SELECT count(*) AS length FROM jobs WHERE who = $3 AND done IS NULL) AS line
    WHERE line.length < $5 ON CONFLICT (key) DO NOTHING RETURNING 1
"""
LOOK_AT_JOBS = "SELECT key, done IS NOT NULL, answer, failure FROM jobs WHERE key = ANY ($1::text[])"
CLAIM_JOBS = """
    UPDATE jobs SET worker = $1, until = now() + make_interval(secs => $2), tries = tries + 1
    WHERE key IN (
        SELECT key FROM jobs WHERE done IS NULL AND (until IS NULL OR until < now()) AND tries < $4
        ORDER BY urgent DESC, turn, asked LIMIT $3 FOR UPDATE SKIP LOCKED
    )
    RETURNING key, what
"""
RENEW_JOBS = """
    UPDATE jobs SET until = now() + make_interval(secs => $2)
    WHERE worker = $1 AND done IS NULL AND key = ANY ($3::text[])
"""
GIVE_BACK_JOBS = """
    UPDATE jobs SET worker = NULL, until = NULL, tries = tries - 1 WHERE worker = $1 AND done IS NULL
"""
FINISH_JOB = "UPDATE jobs SET answer = $2, failure = $3, done = now() WHERE key = $1 AND done IS NULL"
FAIL_JOBS = """
    UPDATE jobs SET failure = $2, done = now()
    WHERE done IS NULL AND tries >= $1 AND until < now()
"""
FORGET_JOBS = """
    DELETE FROM jobs WHERE done < now() - make_interval(secs => $1)
    OR done IS NULL AND asked < now() - make_interval(secs => $2) AND (until IS NULL OR until < now())
"""
REJECT_JOB = "DELETE FROM jobs WHERE key = $1 AND done IS NOT NULL"
