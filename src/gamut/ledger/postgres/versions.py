"""The steps from each version of the schema on PostgreSQL to the next.

As with SQLite's, a step is written once and never changed again. Ids are compared as bytes: a later table has the
larger id, and a locale would turn capitals around.
"""

from collections.abc import Sequence

_TABLES = """
CREATE TABLE meta (key text COLLATE "C" PRIMARY KEY, value text NOT NULL);

CREATE TABLE people (
    id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    name_key text COLLATE "C" NOT NULL UNIQUE,
    password text,
    created bigint NOT NULL,
    seen bigint NOT NULL,
    epoch integer NOT NULL,
    checksum bigint NOT NULL
);

CREATE TABLE events (
    table_id text COLLATE "C",
    seq integer,
    body bytea NOT NULL,
    checksum bytea NOT NULL,
    node bigint NOT NULL,
    PRIMARY KEY (table_id, seq)
);

CREATE TABLE tables (
    id text COLLATE "C" PRIMARY KEY,
    game text NOT NULL,
    phase text NOT NULL,
    wakes boolean NOT NULL,
    updated bigint NOT NULL,
    summary bytea NOT NULL,
    listed boolean NOT NULL,
    checksum bigint NOT NULL
);
CREATE INDEX tables_unfinished ON tables (id) WHERE phase <> 'over';
CREATE INDEX tables_listed ON tables (id) WHERE listed;
CREATE INDEX tables_listed_by_game ON tables (game, id) WHERE listed;

CREATE TABLE rooms (
    game text COLLATE "C",
    room text COLLATE "C",
    table_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (game, room)
);

CREATE TABLE seats (
    person_id text COLLATE "C",
    table_id text COLLATE "C",
    PRIMARY KEY (person_id, table_id)
);

CREATE TABLE damaged (table_id text COLLATE "C" PRIMARY KEY, event integer NOT NULL);

-- A node is one run of one process; its number is never used again, and the last thousand are kept.
-- Room on its page: the row changes with each commit.
CREATE TABLE nodes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slot smallint NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    batch bigint NOT NULL DEFAULT 0,
    changes bigint NOT NULL DEFAULT 0,
    at bigint NOT NULL DEFAULT 0,
    asked bigint NOT NULL DEFAULT 0,
    draining boolean NOT NULL DEFAULT false,
    started timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended timestamptz,
    ended_by bigint
) WITH (fillfactor = 20);
CREATE UNIQUE INDEX nodes_slot ON nodes (slot) WHERE ended IS NULL;

-- Apart from the nodes, so that a commit and a renewal never wait for each other.
CREATE TABLE leases (
    node bigint PRIMARY KEY,
    until timestamptz NOT NULL,
    at bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 20);

CREATE TABLE claims (kind text, name text, node bigint NOT NULL, PRIMARY KEY (kind, name));
"""

# False: nothing was done, since the node was ended, or since this very batch is stored already.
_COMMIT = """
CREATE FUNCTION gamut_commit(
    _node bigint, _batch bigint, _at bigint, _cleared text[],
    _tables text[], _seqs integer[], _bodies bytea[], _checksums bytea[],
    _notes text[], _games text[], _phases text[], _wakes boolean[], _updated bigint[], _summaries bytea[],
    _listed boolean[], _sums bigint[],
    _room_games text[], _rooms text[], _room_tables text[],
    _persons text[], _person_tables text[]
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE nodes SET batch = _batch, at = greatest(at, _at)
        WHERE id = _node AND batch = _batch - 1 AND ended IS NULL;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF cardinality(_cleared) > 0 THEN
        DELETE FROM events WHERE table_id = ANY (_cleared);
    END IF;
    INSERT INTO events (table_id, seq, body, checksum, node)
        SELECT t, s, b, c, _node FROM unnest(_tables, _seqs, _bodies, _checksums) AS u (t, s, b, c);
    IF cardinality(_notes) > 0 THEN
        INSERT INTO tables (id, game, phase, wakes, updated, summary, listed, checksum)
            SELECT * FROM unnest(_notes, _games, _phases, _wakes, _updated, _summaries, _listed, _sums)
            ON CONFLICT (id) DO UPDATE SET game = excluded.game, phase = excluded.phase, wakes = excluded.wakes,
                updated = excluded.updated, summary = excluded.summary, listed = excluded.listed,
                checksum = excluded.checksum;
    END IF;
    IF cardinality(_rooms) > 0 THEN
        INSERT INTO rooms (game, room, table_id) SELECT * FROM unnest(_room_games, _rooms, _room_tables)
            ON CONFLICT (game, room) DO UPDATE SET table_id = excluded.table_id
            WHERE excluded.table_id > rooms.table_id;
    END IF;
    IF cardinality(_persons) > 0 THEN
        INSERT INTO seats (person_id, table_id) SELECT * FROM unnest(_persons, _person_tables)
            ON CONFLICT DO NOTHING;
    END IF;
    RETURN true;
END
$$;
"""

# The node that is active is ended, if there is one, and the caller is active instead; all of it or nothing.
# Ending waits for a commit of that node that is under way, at most one: whoever reads afterwards finds it.
# `charged` is the server time of the last sign of life of the node before this one; `opened_before` comes after those
# of all nodes before that one.
_TAKE_OVER = """
CREATE FUNCTION gamut_take_over(
    _dead bigint, _name text, _version text, _lease interval,
    OUT node bigint, OUT slot smallint, OUT charged bigint, OUT opened_before bigint
) LANGUAGE plpgsql AS $$
BEGIN
    UPDATE nodes SET ended = clock_timestamp(),
        at = greatest(at, coalesce((SELECT leases.at FROM leases WHERE leases.node = _dead), 0))
        WHERE id = _dead AND ended IS NULL;
    DELETE FROM leases WHERE leases.node = _dead;
    DELETE FROM claims WHERE claims.node = _dead;
    SELECT at INTO charged FROM nodes ORDER BY id DESC LIMIT 1;
    SELECT coalesce(max(at) + 1, 0) INTO opened_before FROM nodes WHERE id < (SELECT max(id) FROM nodes);
    SELECT min(free) INTO slot FROM generate_series(0, 255) AS free
        WHERE NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.slot = free AND ended IS NULL);
    INSERT INTO nodes (slot, name, version) VALUES (gamut_take_over.slot, _name, _version) RETURNING id INTO node;
    UPDATE nodes SET ended_by = gamut_take_over.node WHERE id = _dead AND ended_by IS NULL;
    INSERT INTO leases (node, until) VALUES (gamut_take_over.node, clock_timestamp() + _lease);
    INSERT INTO claims (kind, name, node) VALUES ('hall', '', gamut_take_over.node);
    DELETE FROM nodes WHERE id < gamut_take_over.node - 1000 AND ended IS NOT NULL;
END
$$;
"""

# A hall has wings, with an active node each. What is called '' by those who know of one wing only is wing 0. `nodes`
# comes first, as in all that nodes do: an old one that is just taking over is waited for.
_WINGS = """
ALTER TABLE nodes DROP COLUMN slot, ADD COLUMN wing smallint NOT NULL DEFAULT 0;
UPDATE claims SET name = '0' WHERE kind = 'hall' AND name = '';
INSERT INTO meta (key, value) VALUES ('wings', '1') ON CONFLICT DO NOTHING;
DROP FUNCTION gamut_take_over(bigint, text, text, interval);
"""

# As before, of the nodes of one wing. If the hall has another number of wings than `_wings`, that becomes its number
# where no node of another wing lives (it has a lease, or the lock that it has as long as its process lives); otherwise
# nothing is done, and `refused_for` is the number that the hall has. Of several nodes that take over at the same moment
# each waits for the one before it.
# With another number of wings a table may be in another wing, whose last node is not the one that had the table. So
# each wing begins with ended nodes that stand for all before: nobody is charged for a time when one of those was gone.
# Those before are in no wing (-1) from then on.
_TAKE_OVER_A_WING = """
CREATE FUNCTION gamut_take_over(
    _dead bigint, _name text, _version text, _lease interval, _wing integer, _wings integer,
    OUT node bigint, OUT charged bigint, OUT opened_before bigint, OUT refused_for integer
) LANGUAGE plpgsql AS $$
DECLARE
    _had integer;
    _gone bigint[] := ARRAY[_dead];
BEGIN
    SELECT value::integer INTO _had FROM meta WHERE key = 'wings' FOR UPDATE;
    IF _had <> _wings THEN
        IF EXISTS (
            SELECT 1 FROM claims LEFT JOIN leases ON leases.node = claims.node
            WHERE claims.kind = 'hall' AND claims.name <> _wing::text AND (
                leases.until > clock_timestamp() OR EXISTS (
                    SELECT 1 FROM pg_locks
                    WHERE locktype = 'advisory' AND classid = 1734438146 AND objid = claims.node::oid AND objsubid = 2
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())))
        ) THEN
            refused_for := _had;
            RETURN;
        END IF;
        SELECT _gone || array_agg(claims.node) INTO _gone FROM claims
            WHERE claims.kind = 'hall' AND claims.name <> _wing::text;
    END IF;
    UPDATE nodes SET ended = clock_timestamp(),
        at = greatest(at, coalesce((SELECT leases.at FROM leases WHERE leases.node = nodes.id), 0))
        WHERE id = ANY (_gone) AND ended IS NULL;
    DELETE FROM leases WHERE leases.node = ANY (_gone);
    DELETE FROM claims WHERE claims.node = ANY (_gone);
    IF _had <> _wings THEN
        WITH last AS (SELECT max(id) AS id FROM nodes WHERE wing >= 0 GROUP BY wing)
            SELECT min(at) FILTER (WHERE id IN (SELECT id FROM last)),
                coalesce(max(at) FILTER (WHERE id NOT IN (SELECT id FROM last)) + 1, 0)
            INTO charged, opened_before FROM nodes WHERE wing >= 0;
        UPDATE nodes SET wing = -1 WHERE wing >= 0 AND ended IS NOT NULL;
        DELETE FROM nodes WHERE wing = -1 AND id <= (
            SELECT id FROM nodes WHERE wing = -1 ORDER BY id DESC OFFSET 1001 LIMIT 1);
        INSERT INTO nodes (wing, name, version, at, ended)
            SELECT each.wing, 'wings', _version, stood.at, clock_timestamp()
            FROM generate_series(0, _wings - 1) AS each (wing),
                (VALUES (1, opened_before - 1), (2, charged)) AS stood (place, at)
            WHERE stood.at >= 0 ORDER BY stood.place, each.wing;
        UPDATE meta SET value = _wings::text WHERE key = 'wings';
    END IF;
    SELECT at INTO charged FROM nodes WHERE wing = _wing ORDER BY id DESC LIMIT 1;
    SELECT coalesce(max(at) + 1, 0) INTO opened_before FROM nodes
        WHERE wing = _wing AND id < (SELECT max(id) FROM nodes WHERE wing = _wing);
    INSERT INTO nodes (wing, name, version) VALUES (_wing, _name, _version) RETURNING id INTO node;
    UPDATE nodes SET ended_by = gamut_take_over.node WHERE id = ANY (_gone) AND ended_by IS NULL;
    INSERT INTO leases (node, until) VALUES (gamut_take_over.node, clock_timestamp() + _lease);
    INSERT INTO claims (kind, name, node) VALUES ('hall', _wing::text, gamut_take_over.node);
    DELETE FROM nodes WHERE wing = _wing AND ended IS NOT NULL AND id <= (
        SELECT id FROM nodes WHERE wing = _wing ORDER BY id DESC OFFSET 1001 LIMIT 1);
END
$$;
"""

STEPS: Sequence[tuple[str, ...]] = ((_TABLES, _COMMIT, _TAKE_OVER), (_WINGS, _TAKE_OVER_A_WING))
"""STEPS[n] leads from version n to version n + 1. Version 0 is an empty database."""
