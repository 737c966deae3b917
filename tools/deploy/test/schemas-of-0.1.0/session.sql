CREATE SCHEMA session;
CREATE FUNCTION session.bytes_over(value jsonb, max integer) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
  declare
    written text := value::text;
    bytes int := octet_length(written);
  begin
    if bytes is null or bytes <= max then return null; end if;
    if bytes <= 2 * 4 * max then
      written := regexp_replace(written, '"(\\.|[^"\\])*"', '', 'g');
      bytes := bytes - length(written) + length(replace(written, ' ', ''));
    end if;
    return case when bytes > max then bytes end;
  end $$;
CREATE FUNCTION session.hide_turns_of_session() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin
       update "session".turns set hidden = true where space_id = new.space_id and session_id = new.id and not hidden;
       return null;
     end $$;
CREATE FUNCTION session.keep_oversized_of_sessions() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      new.oversized := session.oversized_of_sessions(new.metadata);
      
      return new;
    end $$;
CREATE FUNCTION session.note_activity_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin insert into "session".activity_deltas (space_id, owner_id, hour, status, n)
       select space_id, owner_id, hour, status, sum(n) from (select space_id, user_id as owner_id, floor(extract(epoch from started_at) / 3600)::int as hour, status as status, -1 as n from old_rows where not hidden) changes group by 1, 2, 3, 4 having sum(n) <> 0; return null; end $$;
CREATE FUNCTION session.note_activity_insert() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin insert into "session".activity_deltas (space_id, owner_id, hour, status, n)
       select space_id, owner_id, hour, status, sum(n) from (select space_id, user_id as owner_id, floor(extract(epoch from started_at) / 3600)::int as hour, status as status, 1 as n from new_rows where not hidden) changes group by 1, 2, 3, 4 having sum(n) <> 0;if exists (select 1 from "session".activity_watches) then
       insert into "session".activity_changes (space_id, id) select changed.space_id, changed.id from (select space_id, id, status from new_rows where not hidden) changed
        where exists (select 1 from "session".activity_watches w where w.space_id = changed.space_id and w.until > clock_timestamp());
     end if; return null; end $$;
CREATE FUNCTION session.note_activity_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin insert into "session".activity_deltas (space_id, owner_id, hour, status, n)
       select space_id, owner_id, hour, status, sum(n) from (select space_id, user_id as owner_id, floor(extract(epoch from started_at) / 3600)::int as hour, status as status, 1 as n from new_rows where not hidden union all select space_id, user_id as owner_id, floor(extract(epoch from started_at) / 3600)::int as hour, status as status, -1 as n from old_rows where not hidden) changes group by 1, 2, 3, 4 having sum(n) <> 0;if exists (select 1 from "session".activity_watches) then
       insert into "session".activity_changes (space_id, id) select changed.space_id, changed.id from (select space_id, id, status from new_rows where not hidden except select space_id, id, status from old_rows where not hidden) changed
        where exists (select 1 from "session".activity_watches w where w.space_id = changed.space_id and w.until > clock_timestamp());
     end if; return null; end $$;
CREATE FUNCTION session.oversized_of_sessions(metadata jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
      select jsonb_agg(jsonb_build_object('path', path, 'bytes', bytes, 'limit', max) order by bytes::float / max desc)
        from (values ('metadata', session.bytes_over(metadata, 16384), 16384)) as field (path, bytes, max) where bytes is not null
    $$;
CREATE TABLE session.activity_changes (
    space_id uuid NOT NULL,
    id uuid NOT NULL
);
ALTER TABLE ONLY session.activity_changes FORCE ROW LEVEL SECURITY;
CREATE TABLE session.activity_counts (
    space_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    hour integer NOT NULL,
    status text NOT NULL,
    n bigint NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY session.activity_counts FORCE ROW LEVEL SECURITY;
CREATE TABLE session.activity_deltas (
    space_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    hour integer NOT NULL,
    status text NOT NULL,
    n integer NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY session.activity_deltas FORCE ROW LEVEL SECURITY;
CREATE TABLE session.activity_watches (
    space_id uuid NOT NULL,
    until timestamp with time zone NOT NULL
);
ALTER TABLE ONLY session.activity_watches FORCE ROW LEVEL SECURITY;
CREATE TABLE session.agent_latency (
    space_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    count integer NOT NULL,
    failed integer NOT NULL,
    longest_ms bigint NOT NULL,
    durations jsonb NOT NULL
);
ALTER TABLE ONLY session.agent_latency FORCE ROW LEVEL SECURITY;
CREATE TABLE session.dead_letter (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    name text NOT NULL,
    body text NOT NULL,
    attempts integer NOT NULL,
    error text NOT NULL,
    first_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    requeued_at timestamp with time zone,
    space_id uuid
);
CREATE TABLE session.idempotency (
    space_id uuid NOT NULL,
    actor text NOT NULL,
    route text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    answer jsonb,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY session.idempotency FORCE ROW LEVEL SECURITY;
CREATE TABLE session.inbox (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE session.inbox_failure (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    attempts integer NOT NULL,
    error text NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE session.interactions (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    turn_key uuid NOT NULL,
    turn_id uuid NOT NULL,
    session_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    user_id uuid NOT NULL,
    form json NOT NULL,
    status text NOT NULL,
    selected_option_ids json,
    other_text text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    answered_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    purpose text DEFAULT 'question'::text NOT NULL,
    approver text,
    calls json,
    answered_by uuid,
    unrecorded json,
    CONSTRAINT interactions_approver_check CHECK ((approver = ANY (ARRAY['USER'::text, 'ADMIN'::text, 'OTHER'::text, 'OTHER_ADMIN'::text]))),
    CONSTRAINT interactions_purpose_check CHECK ((purpose = ANY (ARRAY['question'::text, 'approval'::text]))),
    CONSTRAINT interactions_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ANSWERED'::text, 'CANCELLED'::text, 'EXPIRED'::text])))
);
ALTER TABLE ONLY session.interactions FORCE ROW LEVEL SECURITY;
CREATE TABLE session.late_turns (
    space_id uuid NOT NULL,
    id uuid NOT NULL
);
ALTER TABLE ONLY session.late_turns FORCE ROW LEVEL SECURITY;
CREATE TABLE session.latency_sums (
    space_id uuid NOT NULL,
    until timestamp with time zone NOT NULL
);
ALTER TABLE ONLY session.latency_sums FORCE ROW LEVEL SECURITY;
CREATE TABLE session.lost_work (
    kind text NOT NULL,
    id uuid NOT NULL,
    space_id uuid,
    losses integer NOT NULL,
    lost_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    lost_by text,
    given_up_at timestamp with time zone,
    shown_id uuid
);
CREATE TABLE session.messages (
    space_id uuid NOT NULL,
    session_id uuid NOT NULL,
    seq integer NOT NULL,
    id uuid NOT NULL,
    turn_id uuid,
    role text NOT NULL,
    content json NOT NULL,
    tool_calls json,
    tool_call_id text,
    name text,
    event json,
    usage json,
    model text,
    finish_reason text,
    tokens integer NOT NULL,
    counted boolean NOT NULL,
    bytes integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    reasoning text,
    CONSTRAINT messages_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text, 'tool'::text, 'event'::text])))
);
ALTER TABLE ONLY session.messages FORCE ROW LEVEL SECURITY;
CREATE TABLE session.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);
CREATE SEQUENCE session.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE session.migrations_id_seq OWNED BY session.migrations.id;
CREATE TABLE session.moved_clocks (
    space_id uuid NOT NULL,
    until timestamp with time zone NOT NULL
);
ALTER TABLE ONLY session.moved_clocks FORCE ROW LEVEL SECURITY;
CREATE SEQUENCE session.outbox_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE session.outbox (
    id uuid NOT NULL,
    name text NOT NULL,
    at timestamp with time zone NOT NULL,
    ctx jsonb NOT NULL,
    data jsonb NOT NULL,
    order_key text,
    pending text[] NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    locked_until timestamp with time zone NOT NULL,
    seq bigint DEFAULT nextval('session.outbox_seq'::regclass)
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_cost_delay='0');
CREATE UNLOGGED TABLE session.running_work (
    worker text NOT NULL,
    slot text NOT NULL,
    kind text NOT NULL,
    ids uuid[] NOT NULL,
    is_alone boolean DEFAULT false NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
CREATE TABLE session.sessions (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    agent_id uuid,
    title text,
    status text DEFAULT 'ACTIVE'::text NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    last_seq integer DEFAULT 0 NOT NULL,
    message_count integer DEFAULT 0 NOT NULL,
    completed_turns integer DEFAULT 0 NOT NULL,
    summary text,
    summary_seq integer DEFAULT 0 NOT NULL,
    summary_tokens integer DEFAULT 0 NOT NULL,
    compacted_seq integer DEFAULT 0 NOT NULL,
    compaction_count integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    last_message_at timestamp with time zone,
    deleted_at timestamp with time zone,
    oversized jsonb,
    CONSTRAINT sessions_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'DELETED'::text])))
);
ALTER TABLE ONLY session.sessions FORCE ROW LEVEL SECURITY;
CREATE TABLE session.stopped_clocks (
    space_id uuid NOT NULL,
    since timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE ONLY session.stopped_clocks FORCE ROW LEVEL SECURITY;
CREATE TABLE session.tool_results (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    turn_key uuid NOT NULL,
    call_id text NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    result json,
    error text,
    expires_at timestamp with time zone NOT NULL,
    bytes integer,
    CONSTRAINT tool_results_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ANSWERED'::text, 'EXPIRED'::text])))
);
ALTER TABLE ONLY session.tool_results FORCE ROW LEVEL SECURITY;
CREATE TABLE session.turns (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    turn_id uuid NOT NULL,
    user_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    session_id uuid,
    status text NOT NULL,
    fingerprint text NOT NULL,
    model text NOT NULL,
    context_window integer NOT NULL,
    identity json NOT NULL,
    input json NOT NULL,
    state json,
    result json,
    usage json,
    error json,
    finish_reason text,
    epoch integer DEFAULT 1 NOT NULL,
    owner text,
    lease_until timestamp with time zone,
    claim_reason text,
    recoveries integer DEFAULT 0 NOT NULL,
    cancel_requested_at timestamp with time zone,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    hidden boolean DEFAULT false NOT NULL,
    deferrals integer DEFAULT 0 NOT NULL,
    lost_at timestamp with time zone,
    taken_at timestamp with time zone,
    CONSTRAINT turns_status_check CHECK ((status = ANY (ARRAY['RUNNING'::text, 'WAITING_INPUT'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELLED'::text])))
);
ALTER TABLE ONLY session.turns FORCE ROW LEVEL SECURITY;
ALTER TABLE ONLY session.migrations ALTER COLUMN id SET DEFAULT nextval('session.migrations_id_seq'::regclass);
ALTER TABLE ONLY session.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);
ALTER TABLE ONLY session.activity_counts
    ADD CONSTRAINT activity_counts_pkey PRIMARY KEY (space_id, owner_id, hour, status);
ALTER TABLE ONLY session.activity_watches
    ADD CONSTRAINT activity_watches_pkey PRIMARY KEY (space_id);
ALTER TABLE ONLY session.agent_latency
    ADD CONSTRAINT agent_latency_pkey PRIMARY KEY (space_id, agent_id, hour);
ALTER TABLE ONLY session.dead_letter
    ADD CONSTRAINT dead_letter_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY session.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (space_id, actor, route, key);
ALTER TABLE ONLY session.inbox_failure
    ADD CONSTRAINT inbox_failure_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY session.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY session.interactions
    ADD CONSTRAINT interactions_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY session.late_turns
    ADD CONSTRAINT late_turns_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY session.latency_sums
    ADD CONSTRAINT latency_sums_pkey PRIMARY KEY (space_id);
ALTER TABLE ONLY session.lost_work
    ADD CONSTRAINT lost_work_pkey PRIMARY KEY (kind, id);
ALTER TABLE ONLY session.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (space_id, session_id, seq);
ALTER TABLE ONLY session.moved_clocks
    ADD CONSTRAINT moved_clocks_pkey PRIMARY KEY (space_id);
ALTER TABLE ONLY session.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY session.running_work
    ADD CONSTRAINT running_work_pkey PRIMARY KEY (worker, slot);
ALTER TABLE ONLY session.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY session.stopped_clocks
    ADD CONSTRAINT stopped_clocks_pkey PRIMARY KEY (space_id);
ALTER TABLE ONLY session.tool_results
    ADD CONSTRAINT tool_results_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY session.turns
    ADD CONSTRAINT turns_pkey PRIMARY KEY (space_id, id);
CREATE INDEX activity_changes_of_space ON session.activity_changes USING btree (space_id);
CREATE INDEX activity_counts_spent ON session.activity_counts USING btree (hour) WHERE (n = 0);
CREATE INDEX activity_deltas_of_space ON session.activity_deltas USING btree (space_id);
CREATE INDEX agent_latency_by_hour ON session.agent_latency USING btree (hour);
CREATE INDEX approvals_unrecorded ON session.interactions USING btree (answered_at) WHERE (unrecorded IS NOT NULL);
CREATE INDEX approvals_waiting ON session.interactions USING btree (created_at) WHERE ((status = 'PENDING'::text) AND (purpose = 'approval'::text));
CREATE INDEX dead_letter_age ON session.dead_letter USING btree (last_at);
CREATE INDEX idempotency_expires ON session.idempotency USING btree (expires_at);
CREATE INDEX inbox_seen ON session.inbox USING brin (seen_at);
CREATE INDEX interactions_expiring ON session.interactions USING btree (expires_at) WHERE (status = 'PENDING'::text);
CREATE INDEX interactions_for_admins ON session.interactions USING btree (space_id, id) WHERE (approver = 'ADMIN'::text);
CREATE INDEX interactions_for_others ON session.interactions USING btree (space_id, id) WHERE (approver = ANY (ARRAY['OTHER'::text, 'OTHER_ADMIN'::text]));
CREATE INDEX interactions_of_turn ON session.interactions USING btree (space_id, turn_key);
CREATE INDEX interactions_of_user ON session.interactions USING btree (space_id, user_id, id);
CREATE UNIQUE INDEX interactions_one_pending ON session.interactions USING btree (space_id, turn_key) WHERE (status = 'PENDING'::text);
CREATE INDEX interactions_pending ON session.interactions USING btree (space_id, user_id, id) WHERE (status = 'PENDING'::text);
CREATE INDEX lost_work_age ON session.lost_work USING btree (lost_at);
CREATE INDEX lost_work_of_id ON session.lost_work USING btree (id);
CREATE INDEX lost_work_shown ON session.lost_work USING btree (shown_id) WHERE (shown_id IS NOT NULL);
CREATE INDEX messages_of_turn ON session.messages USING btree (space_id, session_id, turn_id, seq) WHERE (turn_id IS NOT NULL);
CREATE INDEX outbox_due ON session.outbox USING btree (locked_until);
CREATE INDEX outbox_due_turns ON session.outbox USING btree (COALESCE((ctx ->> 'spaceId'::text), ''::text), locked_until) WHERE (epoch >= 0);
CREATE INDEX outbox_queued ON session.outbox USING btree (seq) WHERE (epoch < 0);
CREATE INDEX outbox_queued_keys ON session.outbox USING btree (order_key, locked_until) WHERE (epoch < 0);
CREATE INDEX outbox_queued_turns ON session.outbox USING btree (COALESCE((ctx ->> 'spaceId'::text), ''::text), order_key, seq) WHERE (epoch < 0);
CREATE INDEX sessions_by_time ON session.sessions USING btree (space_id, created_at, id) WHERE (status = 'ACTIVE'::text);
CREATE INDEX sessions_deleted ON session.sessions USING btree (deleted_at) WHERE (status = 'DELETED'::text);
CREATE INDEX sessions_of_a_user_and_agent ON session.sessions USING btree (space_id, user_id, agent_id, created_at, id) WHERE (status = 'ACTIVE'::text);
CREATE INDEX sessions_of_a_user_with_titles ON session.sessions USING btree (space_id, user_id, created_at, id, lower(title)) INCLUDE (title) WHERE (status = 'ACTIVE'::text);
CREATE INDEX sessions_of_an_agent_by_time ON session.sessions USING btree (space_id, agent_id, created_at, id) WHERE (status = 'ACTIVE'::text);
CREATE UNIQUE INDEX tool_results_by_call ON session.tool_results USING btree (space_id, turn_key, call_id);
CREATE UNIQUE INDEX turns_by_name ON session.turns USING btree (space_id, user_id, turn_id);
CREATE INDEX turns_chain ON session.turns USING btree (space_id, ((identity ->> 'correlationId'::text))) WHERE ((identity ->> 'correlationId'::text) IS NOT NULL);
CREATE INDEX turns_held ON session.turns USING btree (id) WHERE (status = 'RUNNING'::text);
CREATE INDEX turns_of_session ON session.turns USING btree (space_id, session_id);
CREATE INDEX turns_of_space ON session.turns USING btree (space_id, status, started_at, id);
CREATE INDEX turns_of_user ON session.turns USING btree (space_id, user_id, status, started_at, id);
CREATE UNIQUE INDEX turns_one_active ON session.turns USING btree (space_id, session_id) WHERE (status = ANY (ARRAY['RUNNING'::text, 'WAITING_INPUT'::text]));
CREATE INDEX turns_root ON session.turns USING btree (space_id, (((identity -> 'lineage'::text) ->> 'root'::text))) WHERE (((identity -> 'lineage'::text) ->> 'root'::text) IS NOT NULL);
CREATE INDEX turns_without_session ON session.turns USING btree (finished_at) WHERE (session_id IS NULL);
CREATE TRIGGER activity_delete AFTER DELETE ON session.turns REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION session.note_activity_delete();
CREATE TRIGGER activity_insert AFTER INSERT ON session.turns REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION session.note_activity_insert();
CREATE TRIGGER activity_update AFTER UPDATE ON session.turns REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION session.note_activity_update();
CREATE TRIGGER hide_turns AFTER UPDATE ON session.sessions FOR EACH ROW WHEN (((old.status = 'ACTIVE'::text) AND (new.status <> 'ACTIVE'::text))) EXECUTE FUNCTION session.hide_turns_of_session();
CREATE TRIGGER keep_oversized BEFORE UPDATE OF metadata ON session.sessions FOR EACH ROW EXECUTE FUNCTION session.keep_oversized_of_sessions();
CREATE TRIGGER keep_oversized_of_new BEFORE INSERT ON session.sessions FOR EACH ROW WHEN ((pg_column_size(new.metadata) > 2048)) EXECUTE FUNCTION session.keep_oversized_of_sessions();
ALTER TABLE ONLY session.interactions
    ADD CONSTRAINT interactions_space_id_turn_key_fkey FOREIGN KEY (space_id, turn_key) REFERENCES session.turns(space_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY session.messages
    ADD CONSTRAINT messages_space_id_session_id_fkey FOREIGN KEY (space_id, session_id) REFERENCES session.sessions(space_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY session.tool_results
    ADD CONSTRAINT tool_results_space_id_turn_key_fkey FOREIGN KEY (space_id, turn_key) REFERENCES session.turns(space_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY session.turns
    ADD CONSTRAINT turns_space_id_session_id_fkey FOREIGN KEY (space_id, session_id) REFERENCES session.sessions(space_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE session.activity_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE session.activity_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE session.activity_deltas ENABLE ROW LEVEL SECURITY;
ALTER TABLE session.activity_watches ENABLE ROW LEVEL SECURITY;
ALTER TABLE session.agent_latency ENABLE ROW LEVEL SECURITY;
ALTER TABLE session.idempotency ENABLE ROW LEVEL SECURITY;
ALTER TABLE session.interactions ENABLE ROW LEVEL SECURITY;
ALTER TABLE session.late_turns ENABLE ROW LEVEL SECURITY;
ALTER TABLE session.latency_sums ENABLE ROW LEVEL SECURITY;
ALTER TABLE session.messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE session.moved_clocks ENABLE ROW LEVEL SECURITY;
ALTER TABLE session.sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE session.stopped_clocks ENABLE ROW LEVEL SECURITY;
CREATE POLICY system ON session.activity_changes TO $DATABASE_session_system USING (true) WITH CHECK (true);
CREATE POLICY system ON session.activity_counts TO $DATABASE_session_system USING (true) WITH CHECK (true);
CREATE POLICY system ON session.activity_deltas TO $DATABASE_session_system USING (true) WITH CHECK (true);
CREATE POLICY system ON session.activity_watches TO $DATABASE_session_system USING (true) WITH CHECK (true);
CREATE POLICY system ON session.agent_latency TO $DATABASE_session_system USING (true) WITH CHECK (true);
CREATE POLICY system ON session.idempotency TO $DATABASE_session_system USING (true) WITH CHECK (true);
CREATE POLICY system ON session.interactions TO $DATABASE_session_system USING (true) WITH CHECK (true);
CREATE POLICY system ON session.late_turns TO $DATABASE_session_system USING (true) WITH CHECK (true);
CREATE POLICY system ON session.latency_sums TO $DATABASE_session_system USING (true) WITH CHECK (true);
CREATE POLICY system ON session.messages TO $DATABASE_session_system USING (true) WITH CHECK (true);
CREATE POLICY system ON session.moved_clocks TO $DATABASE_session_system USING (true) WITH CHECK (true);
CREATE POLICY system ON session.sessions TO $DATABASE_session_system USING (true) WITH CHECK (true);
CREATE POLICY system ON session.stopped_clocks TO $DATABASE_session_system USING (true) WITH CHECK (true);
CREATE POLICY system ON session.tool_results TO $DATABASE_session_system USING (true) WITH CHECK (true);
CREATE POLICY system ON session.turns TO $DATABASE_session_system USING (true) WITH CHECK (true);
CREATE POLICY tenant ON session.activity_changes TO $DATABASE_session USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON session.activity_counts TO $DATABASE_session USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON session.activity_deltas TO $DATABASE_session USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON session.activity_watches TO $DATABASE_session USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON session.agent_latency TO $DATABASE_session USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON session.idempotency TO $DATABASE_session USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON session.interactions TO $DATABASE_session USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON session.late_turns TO $DATABASE_session USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON session.latency_sums TO $DATABASE_session USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON session.messages TO $DATABASE_session USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON session.moved_clocks TO $DATABASE_session USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON session.sessions TO $DATABASE_session USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON session.stopped_clocks TO $DATABASE_session USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON session.tool_results TO $DATABASE_session USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON session.turns TO $DATABASE_session USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
ALTER TABLE session.tool_results ENABLE ROW LEVEL SECURITY;
ALTER TABLE session.turns ENABLE ROW LEVEL SECURITY;
GRANT USAGE ON SCHEMA session TO $DATABASE_session;
GRANT USAGE ON SCHEMA session TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.activity_changes TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.activity_changes TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.activity_counts TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.activity_counts TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.activity_deltas TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.activity_deltas TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.activity_watches TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.activity_watches TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.agent_latency TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.agent_latency TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.dead_letter TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.dead_letter TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.idempotency TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.idempotency TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.inbox TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.inbox TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.inbox_failure TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.inbox_failure TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.interactions TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.interactions TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.late_turns TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.late_turns TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.latency_sums TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.latency_sums TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.lost_work TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.lost_work TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.messages TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.messages TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.migrations TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.migrations TO $DATABASE_session;
GRANT SELECT,USAGE ON SEQUENCE session.migrations_id_seq TO $DATABASE_session_system;
GRANT SELECT,USAGE ON SEQUENCE session.migrations_id_seq TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.moved_clocks TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.moved_clocks TO $DATABASE_session;
GRANT SELECT,USAGE ON SEQUENCE session.outbox_seq TO $DATABASE_session_system;
GRANT SELECT,USAGE ON SEQUENCE session.outbox_seq TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.outbox TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.outbox TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.running_work TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.running_work TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.sessions TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.sessions TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.stopped_clocks TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.stopped_clocks TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.tool_results TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.tool_results TO $DATABASE_session;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.turns TO $DATABASE_session_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE session.turns TO $DATABASE_session;
ALTER DEFAULT PRIVILEGES IN SCHEMA session GRANT SELECT,USAGE ON SEQUENCES  TO $DATABASE_session_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA session GRANT SELECT,USAGE ON SEQUENCES  TO $DATABASE_session;
ALTER DEFAULT PRIVILEGES IN SCHEMA session GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO $DATABASE_session_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA session GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO $DATABASE_session;
INSERT INTO session.migrations ("timestamp", name) VALUES
(1700000000000, 'MessagingTables1700000000000'),
  (1700000000001, 'CreateConversations1700000000001'),
  (1700000000002, 'CreateTurns1700000000002'),
  (1700000000003, 'CountTurns1700000000003'),
  (1700000000004, 'AddApprovals1700000000004'),
  (1700000000005, 'FindTurnsByRoot1700000000005'),
  (1700000000006, 'KeepReasoning1700000000006'),
  (1700000000007, 'DeferTurns1700000000007'),
  (1700000000008, 'FindMessagesByTurn1700000000008'),
  (1700000000009, 'SumUpLatency1700000000009'),
  (1700000000010, 'FindRunningTurnsByKey1700000000010'),
  (1700000000011, 'ListSessionsByTime1700000000011'),
  (1700000000012, 'SessionsOfAnAgent1700000000012'),
  (1700000000013, 'SessionsByTitle1700000000013'),
  (1700000000014, 'ApprovalsByOthers1700000000014'),
  (1700000000015, 'CountLostTurns1700000000015'),
  (1700000000016, 'WeighToolResults1700000000016'),
  (1700000000017, 'StopClocks1700000000017'),
  (1700000000018, 'MarkOversizedSessions1700000000018'),
  (1700000000019, 'MovedClocks1700000000019'),
  (1700000000500, 'FindSpentAnswers1700000000500'),
  (1700000000501, 'QueueEvents1700000000501'),
  (1700000000502, 'QueueEventsBySpace1700000000502'),
  (1700000000503, 'IndexDueEventsBySpace1700000000503'),
  (1700000000504, 'FindOldDeadLetters1700000000504'),
  (1700000000505, 'CountLostWork1700000000505'),
  (1700000000506, 'ShowLostWork1700000000506');
