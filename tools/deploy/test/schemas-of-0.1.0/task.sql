CREATE SCHEMA task;
CREATE FUNCTION task.bytes_over(value jsonb, max integer) RETURNS integer
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
CREATE FUNCTION task.keep_oversized_of_tasks() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      new.oversized := task.oversized_of_tasks(new.steps, new.inputs, new.metadata);
      if (new.oversized -> 0 ->> 'bytes')::bigint > 4 * (new.oversized -> 0 ->> 'limit')::bigint then new.active := false; new.next_run_at := null; end if;
      return new;
    end $$;
CREATE FUNCTION task.keep_secret_names() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      new.secret_names := task.secret_names_of(new.steps);
      return new;
    end $$;
CREATE FUNCTION task.mark_space_ready() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
     begin
       perform 1 from "task".ready_spaces where space_id = new.space_id and due_at <= greatest(new.run_at, clock_timestamp()) for key share;
       if not found then
         insert into "task".ready_spaces values (new.space_id, greatest(new.run_at, clock_timestamp()))
         on conflict (space_id) do update set due_at = clock_timestamp();
       end if;
       return null;
     end $$;
CREATE FUNCTION task.mark_space_unblocked() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
     begin
       perform 1 from "task".ready_spaces where space_id = new.space_id and due_at <= clock_timestamp() for key share;
       if not found then
         update "task".ready_spaces set due_at = clock_timestamp() where space_id = new.space_id and due_at > clock_timestamp();
       end if;
       return null;
     end $$;
CREATE FUNCTION task.mark_spaces_ready() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
     begin
       insert into "task".ready_spaces as marked
         select space_id, due_at from (
           select space_id, greatest(min(run_at), clock_timestamp()) as due_at from new_rows where status in ('QUEUED') group by space_id) added
         where not exists (
           select 1 from "task".ready_spaces r where r.space_id = added.space_id and r.due_at <= added.due_at for key share)
         order by space_id
       on conflict (space_id) do update set due_at = least(marked.due_at, excluded.due_at);
       return null;
     end $$;
CREATE FUNCTION task.note_activity_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin insert into "task".activity_deltas (space_id, owner_id, hour, status, n)
       select space_id, owner_id, hour, status, sum(n) from (select space_id, '00000000-0000-0000-0000-000000000000'::uuid as owner_id, floor(extract(epoch from created_at) / 3600)::int as hour, status as status, -1 as n from old_rows where true) changes group by 1, 2, 3, 4 having sum(n) <> 0; return null; end $$;
CREATE FUNCTION task.note_activity_insert() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin insert into "task".activity_deltas (space_id, owner_id, hour, status, n)
       select space_id, owner_id, hour, status, sum(n) from (select space_id, '00000000-0000-0000-0000-000000000000'::uuid as owner_id, floor(extract(epoch from created_at) / 3600)::int as hour, status as status, 1 as n from new_rows where true) changes group by 1, 2, 3, 4 having sum(n) <> 0;if exists (select 1 from "task".activity_watches) then
       insert into "task".activity_changes (space_id, id) select changed.space_id, changed.id from (select space_id, id, status from new_rows where true) changed
        where exists (select 1 from "task".activity_watches w where w.space_id = changed.space_id and w.until > clock_timestamp());
     end if; return null; end $$;
CREATE FUNCTION task.note_activity_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin insert into "task".activity_deltas (space_id, owner_id, hour, status, n)
       select space_id, owner_id, hour, status, sum(n) from (select space_id, '00000000-0000-0000-0000-000000000000'::uuid as owner_id, floor(extract(epoch from created_at) / 3600)::int as hour, status as status, 1 as n from new_rows where true union all select space_id, '00000000-0000-0000-0000-000000000000'::uuid as owner_id, floor(extract(epoch from created_at) / 3600)::int as hour, status as status, -1 as n from old_rows where true) changes group by 1, 2, 3, 4 having sum(n) <> 0;if exists (select 1 from "task".activity_watches) then
       insert into "task".activity_changes (space_id, id) select changed.space_id, changed.id from (select space_id, id, status from new_rows where true except select space_id, id, status from old_rows where true) changed
        where exists (select 1 from "task".activity_watches w where w.space_id = changed.space_id and w.until > clock_timestamp());
     end if; return null; end $$;
CREATE FUNCTION task.oversized_of_tasks(steps jsonb, inputs jsonb, metadata jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
      select jsonb_agg(jsonb_build_object('path', path, 'bytes', bytes, 'limit', max) order by bytes::float / max desc)
        from (values ('steps', task.bytes_over(steps, 262144), 262144), ('inputs', task.bytes_over(inputs, 65536), 65536), ('metadata', task.bytes_over(metadata, 16384), 16384)) as field (path, bytes, max) where bytes is not null
    $$;
CREATE FUNCTION task.secret_names_of(steps jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
      select coalesce(array_agg(distinct found[1]), '{}')
      from regexp_matches(steps::text, '\{\{ *secrets\.([A-Za-z][A-Za-z0-9_]*) *\}\}', 'g') found
    $$;
CREATE TABLE task.activity_changes (
    space_id uuid NOT NULL,
    id uuid NOT NULL
);
ALTER TABLE ONLY task.activity_changes FORCE ROW LEVEL SECURITY;
CREATE TABLE task.activity_counts (
    space_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    hour integer NOT NULL,
    status text NOT NULL,
    n bigint NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY task.activity_counts FORCE ROW LEVEL SECURITY;
CREATE TABLE task.activity_deltas (
    space_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    hour integer NOT NULL,
    status text NOT NULL,
    n integer NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY task.activity_deltas FORCE ROW LEVEL SECURITY;
CREATE TABLE task.activity_watches (
    space_id uuid NOT NULL,
    until timestamp with time zone NOT NULL
);
ALTER TABLE ONLY task.activity_watches FORCE ROW LEVEL SECURITY;
CREATE TABLE task.dead_letter (
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
CREATE TABLE task.execution_steps (
    space_id uuid NOT NULL,
    execution_id uuid NOT NULL,
    step_id text NOT NULL,
    status text NOT NULL,
    attempt integer NOT NULL,
    tries integer NOT NULL,
    outages integer NOT NULL,
    input jsonb,
    output jsonb,
    error jsonb,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    bytes integer DEFAULT 0 NOT NULL,
    CONSTRAINT execution_steps_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'RUNNING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'SKIPPED'::text, 'CANCELLED'::text])))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY task.execution_steps FORCE ROW LEVEL SECURITY;
CREATE TABLE task.executions (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    task_id uuid NOT NULL,
    task_version integer NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    steps jsonb NOT NULL,
    inputs jsonb NOT NULL,
    output jsonb,
    error jsonb,
    attempt integer DEFAULT 1 NOT NULL,
    max_attempts integer NOT NULL,
    last_attempt integer NOT NULL,
    backoff_seconds double precision NOT NULL,
    timeout_seconds integer NOT NULL,
    owner_id uuid,
    requested_by uuid,
    causation_id uuid,
    correlation_id uuid,
    depth integer NOT NULL,
    delivery_id uuid,
    slot timestamp with time zone,
    run_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    worker text,
    epoch integer DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    takeovers integer DEFAULT 0 NOT NULL,
    deadline_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    rerun_of uuid,
    parent text,
    waiting_turn uuid,
    looks integer DEFAULT 0 NOT NULL,
    scopes text[],
    root uuid,
    bytes integer DEFAULT 0 NOT NULL,
    key_id text,
    lost_at timestamp with time zone,
    taken_at timestamp with time zone,
    CONSTRAINT executions_kind_check CHECK ((kind = ANY (ARRAY['MANUAL'::text, 'SCHEDULE'::text, 'EVENT'::text]))),
    CONSTRAINT executions_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'CANCELLED'::text, 'TIMED_OUT'::text, 'SKIPPED'::text])))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY task.executions FORCE ROW LEVEL SECURITY;
CREATE TABLE task.idempotency (
    space_id uuid NOT NULL,
    actor text NOT NULL,
    route text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    answer jsonb,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY task.idempotency FORCE ROW LEVEL SECURITY;
CREATE TABLE task.inbox (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE task.inbox_failure (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    attempts integer NOT NULL,
    error text NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE task.lost_work (
    kind text NOT NULL,
    id uuid NOT NULL,
    space_id uuid,
    losses integer NOT NULL,
    lost_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    lost_by text,
    given_up_at timestamp with time zone,
    shown_id uuid
);
CREATE TABLE task.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);
CREATE SEQUENCE task.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE task.migrations_id_seq OWNED BY task.migrations.id;
CREATE TABLE task.moved_clocks (
    space_id uuid NOT NULL,
    until timestamp with time zone NOT NULL
);
ALTER TABLE ONLY task.moved_clocks FORCE ROW LEVEL SECURITY;
CREATE SEQUENCE task.outbox_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE task.outbox (
    id uuid NOT NULL,
    name text NOT NULL,
    at timestamp with time zone NOT NULL,
    ctx jsonb NOT NULL,
    data jsonb NOT NULL,
    order_key text,
    pending text[] NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    locked_until timestamp with time zone NOT NULL,
    seq bigint DEFAULT nextval('task.outbox_seq'::regclass)
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_cost_delay='0');
CREATE TABLE task.ready_spaces (
    space_id uuid NOT NULL,
    due_at timestamp with time zone NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY task.ready_spaces FORCE ROW LEVEL SECURITY;
CREATE UNLOGGED TABLE task.running_work (
    worker text NOT NULL,
    slot text NOT NULL,
    kind text NOT NULL,
    ids uuid[] NOT NULL,
    is_alone boolean DEFAULT false NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
CREATE TABLE task.stopped_clocks (
    space_id uuid NOT NULL,
    since timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE ONLY task.stopped_clocks FORCE ROW LEVEL SECURITY;
CREATE TABLE task.tasks (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    description text,
    type text NOT NULL,
    active boolean NOT NULL,
    owner_id uuid,
    steps jsonb NOT NULL,
    inputs jsonb NOT NULL,
    schedule jsonb,
    next_run_at timestamp with time zone,
    next_look_at timestamp with time zone,
    concurrency_limit integer NOT NULL,
    concurrency_policy text NOT NULL,
    retry jsonb NOT NULL,
    timeout_seconds integer NOT NULL,
    metadata jsonb NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    application_id uuid,
    default_revision integer,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    deleted_at timestamp with time zone,
    secret_names text[],
    scopes text[],
    key_id text,
    oversized jsonb,
    CONSTRAINT tasks_concurrency_policy_check CHECK ((concurrency_policy = ANY (ARRAY['QUEUE'::text, 'SKIP'::text]))),
    CONSTRAINT tasks_type_check CHECK ((type = ANY (ARRAY['MANUAL'::text, 'SCHEDULE'::text, 'EVENT'::text])))
);
ALTER TABLE ONLY task.tasks FORCE ROW LEVEL SECURITY;
ALTER TABLE ONLY task.migrations ALTER COLUMN id SET DEFAULT nextval('task.migrations_id_seq'::regclass);
ALTER TABLE ONLY task.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);
ALTER TABLE ONLY task.activity_counts
    ADD CONSTRAINT activity_counts_pkey PRIMARY KEY (space_id, owner_id, hour, status);
ALTER TABLE ONLY task.activity_watches
    ADD CONSTRAINT activity_watches_pkey PRIMARY KEY (space_id);
ALTER TABLE ONLY task.dead_letter
    ADD CONSTRAINT dead_letter_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY task.execution_steps
    ADD CONSTRAINT execution_steps_pkey PRIMARY KEY (space_id, execution_id, step_id);
ALTER TABLE ONLY task.executions
    ADD CONSTRAINT executions_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY task.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (space_id, actor, route, key);
ALTER TABLE ONLY task.inbox_failure
    ADD CONSTRAINT inbox_failure_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY task.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY task.lost_work
    ADD CONSTRAINT lost_work_pkey PRIMARY KEY (kind, id);
ALTER TABLE ONLY task.moved_clocks
    ADD CONSTRAINT moved_clocks_pkey PRIMARY KEY (space_id);
ALTER TABLE ONLY task.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY task.ready_spaces
    ADD CONSTRAINT ready_spaces_pkey PRIMARY KEY (space_id);
ALTER TABLE ONLY task.running_work
    ADD CONSTRAINT running_work_pkey PRIMARY KEY (worker, slot);
ALTER TABLE ONLY task.stopped_clocks
    ADD CONSTRAINT stopped_clocks_pkey PRIMARY KEY (space_id);
ALTER TABLE ONLY task.tasks
    ADD CONSTRAINT tasks_pkey PRIMARY KEY (space_id, id);
CREATE INDEX activity_changes_of_space ON task.activity_changes USING btree (space_id);
CREATE INDEX activity_counts_spent ON task.activity_counts USING btree (hour) WHERE (n = 0);
CREATE INDEX activity_deltas_of_space ON task.activity_deltas USING btree (space_id);
CREATE INDEX dead_letter_age ON task.dead_letter USING btree (last_at);
CREATE INDEX executions_age ON task.executions USING brin (created_at) WITH (autosummarize='on');
CREATE INDEX executions_chain ON task.executions USING btree (space_id, correlation_id, id) WHERE (correlation_id <> id);
CREATE INDEX executions_deadline ON task.executions USING btree (deadline_at) WHERE (status = 'RUNNING'::text);
CREATE UNIQUE INDEX executions_delivery ON task.executions USING btree (space_id, delivery_id) WHERE (delivery_id IS NOT NULL);
CREATE INDEX executions_leased ON task.executions USING btree (lease_until) WHERE ((status = 'RUNNING'::text) AND (worker IS NOT NULL));
CREATE INDEX executions_next ON task.executions USING btree (space_id, run_at) WHERE (status = 'QUEUED'::text);
CREATE INDEX executions_of_space ON task.executions USING btree (space_id, kind, status, created_at, id);
CREATE INDEX executions_of_task ON task.executions USING btree (space_id, task_id, kind, status, created_at, id);
CREATE INDEX executions_of_turn ON task.executions USING btree (space_id, waiting_turn) WHERE (waiting_turn IS NOT NULL);
CREATE INDEX executions_of_user ON task.executions USING btree (space_id, requested_by, status, created_at, id) WHERE (requested_by IS NOT NULL);
CREATE INDEX executions_parked ON task.executions USING btree (run_at) WHERE ((status = 'RUNNING'::text) AND (worker IS NULL));
CREATE INDEX executions_queued ON task.executions USING btree (space_id, task_id, run_at, id) WHERE (status = 'QUEUED'::text);
CREATE INDEX executions_root ON task.executions USING btree (space_id, root) WHERE (root IS NOT NULL);
CREATE INDEX executions_running ON task.executions USING btree (space_id, task_id) WHERE (status = 'RUNNING'::text);
CREATE UNIQUE INDEX executions_slot ON task.executions USING btree (space_id, task_id, slot) WHERE (slot IS NOT NULL);
CREATE INDEX executions_to_stop ON task.executions USING btree (finished_at) WHERE ((waiting_turn IS NOT NULL) AND (finished_at IS NOT NULL));
CREATE INDEX idempotency_expires ON task.idempotency USING btree (expires_at);
CREATE INDEX inbox_seen ON task.inbox USING brin (seen_at);
CREATE INDEX lost_work_age ON task.lost_work USING btree (lost_at);
CREATE INDEX lost_work_of_id ON task.lost_work USING btree (id);
CREATE INDEX lost_work_shown ON task.lost_work USING btree (shown_id) WHERE (shown_id IS NOT NULL);
CREATE INDEX outbox_due ON task.outbox USING btree (locked_until);
CREATE INDEX outbox_due_turns ON task.outbox USING btree (COALESCE((ctx ->> 'spaceId'::text), ''::text), locked_until) WHERE (epoch >= 0);
CREATE INDEX outbox_queued ON task.outbox USING btree (seq) WHERE (epoch < 0);
CREATE INDEX outbox_queued_keys ON task.outbox USING btree (order_key, locked_until) WHERE (epoch < 0);
CREATE INDEX outbox_queued_turns ON task.outbox USING btree (COALESCE((ctx ->> 'spaceId'::text), ''::text), order_key, seq) WHERE (epoch < 0);
CREATE INDEX ready_spaces_due ON task.ready_spaces USING btree (due_at);
CREATE INDEX tasks_deleted ON task.tasks USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (application_id IS NULL));
CREATE INDEX tasks_due ON task.tasks USING btree (next_run_at) WHERE (next_run_at IS NOT NULL);
CREATE INDEX tasks_of_a_secret ON task.tasks USING gin (secret_names) WHERE (secret_names <> '{}'::text[]);
CREATE TRIGGER activity_delete AFTER DELETE ON task.executions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION task.note_activity_delete();
CREATE TRIGGER activity_insert AFTER INSERT ON task.executions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION task.note_activity_insert();
CREATE TRIGGER activity_update AFTER UPDATE ON task.executions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION task.note_activity_update();
CREATE TRIGGER keep_oversized BEFORE INSERT OR UPDATE OF steps, inputs, metadata ON task.tasks FOR EACH ROW EXECUTE FUNCTION task.keep_oversized_of_tasks();
CREATE TRIGGER keep_secret_names BEFORE INSERT OR UPDATE OF steps ON task.tasks FOR EACH ROW EXECUTE FUNCTION task.keep_secret_names();
CREATE TRIGGER ready_when_added AFTER INSERT ON task.executions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION task.mark_spaces_ready();
CREATE TRIGGER ready_when_limit_changed AFTER UPDATE OF concurrency_limit ON task.tasks FOR EACH ROW WHEN ((new.concurrency_limit > old.concurrency_limit)) EXECUTE FUNCTION task.mark_space_unblocked();
CREATE TRIGGER ready_when_queued AFTER UPDATE OF status ON task.executions FOR EACH ROW WHEN (((new.status = 'QUEUED'::text) AND (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION task.mark_space_ready();
CREATE TRIGGER ready_when_unblocked AFTER UPDATE OF status ON task.executions FOR EACH ROW WHEN (((old.status = 'RUNNING'::text) AND (new.status <> 'RUNNING'::text))) EXECUTE FUNCTION task.mark_space_unblocked();
ALTER TABLE task.activity_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE task.activity_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE task.activity_deltas ENABLE ROW LEVEL SECURITY;
ALTER TABLE task.activity_watches ENABLE ROW LEVEL SECURITY;
ALTER TABLE task.execution_steps ENABLE ROW LEVEL SECURITY;
ALTER TABLE task.executions ENABLE ROW LEVEL SECURITY;
ALTER TABLE task.idempotency ENABLE ROW LEVEL SECURITY;
ALTER TABLE task.moved_clocks ENABLE ROW LEVEL SECURITY;
ALTER TABLE task.ready_spaces ENABLE ROW LEVEL SECURITY;
ALTER TABLE task.stopped_clocks ENABLE ROW LEVEL SECURITY;
CREATE POLICY system ON task.activity_changes TO $DATABASE_task_system USING (true) WITH CHECK (true);
CREATE POLICY system ON task.activity_counts TO $DATABASE_task_system USING (true) WITH CHECK (true);
CREATE POLICY system ON task.activity_deltas TO $DATABASE_task_system USING (true) WITH CHECK (true);
CREATE POLICY system ON task.activity_watches TO $DATABASE_task_system USING (true) WITH CHECK (true);
CREATE POLICY system ON task.execution_steps TO $DATABASE_task_system USING (true) WITH CHECK (true);
CREATE POLICY system ON task.executions TO $DATABASE_task_system USING (true) WITH CHECK (true);
CREATE POLICY system ON task.idempotency TO $DATABASE_task_system USING (true) WITH CHECK (true);
CREATE POLICY system ON task.moved_clocks TO $DATABASE_task_system USING (true) WITH CHECK (true);
CREATE POLICY system ON task.ready_spaces TO $DATABASE_task_system USING (true) WITH CHECK (true);
CREATE POLICY system ON task.stopped_clocks TO $DATABASE_task_system USING (true) WITH CHECK (true);
CREATE POLICY system ON task.tasks TO $DATABASE_task_system USING (true) WITH CHECK (true);
ALTER TABLE task.tasks ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON task.activity_changes TO $DATABASE_task USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON task.activity_counts TO $DATABASE_task USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON task.activity_deltas TO $DATABASE_task USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON task.activity_watches TO $DATABASE_task USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON task.execution_steps TO $DATABASE_task USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON task.executions TO $DATABASE_task USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON task.idempotency TO $DATABASE_task USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON task.moved_clocks TO $DATABASE_task USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON task.ready_spaces TO $DATABASE_task USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON task.stopped_clocks TO $DATABASE_task USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON task.tasks TO $DATABASE_task USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
GRANT USAGE ON SCHEMA task TO $DATABASE_task;
GRANT USAGE ON SCHEMA task TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.activity_changes TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.activity_changes TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.activity_counts TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.activity_counts TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.activity_deltas TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.activity_deltas TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.activity_watches TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.activity_watches TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.dead_letter TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.dead_letter TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.execution_steps TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.execution_steps TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.executions TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.executions TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.idempotency TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.idempotency TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.inbox TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.inbox TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.inbox_failure TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.inbox_failure TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.lost_work TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.lost_work TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.migrations TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.migrations TO $DATABASE_task;
GRANT SELECT,USAGE ON SEQUENCE task.migrations_id_seq TO $DATABASE_task_system;
GRANT SELECT,USAGE ON SEQUENCE task.migrations_id_seq TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.moved_clocks TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.moved_clocks TO $DATABASE_task;
GRANT SELECT,USAGE ON SEQUENCE task.outbox_seq TO $DATABASE_task_system;
GRANT SELECT,USAGE ON SEQUENCE task.outbox_seq TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.outbox TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.outbox TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.ready_spaces TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.ready_spaces TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.running_work TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.running_work TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.stopped_clocks TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.stopped_clocks TO $DATABASE_task;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.tasks TO $DATABASE_task_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE task.tasks TO $DATABASE_task;
ALTER DEFAULT PRIVILEGES IN SCHEMA task GRANT SELECT,USAGE ON SEQUENCES  TO $DATABASE_task_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA task GRANT SELECT,USAGE ON SEQUENCES  TO $DATABASE_task;
ALTER DEFAULT PRIVILEGES IN SCHEMA task GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO $DATABASE_task_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA task GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO $DATABASE_task;
INSERT INTO task.migrations ("timestamp", name) VALUES
(1700000000000, 'MessagingTables1700000000000'),
  (1700000000001, 'CreateTasks1700000000001'),
  (1700000000002, 'IndexExecutionAge1700000000002'),
  (1700000000003, 'FreeExecutionsOfReferences1700000000003'),
  (1700000000004, 'ListExecutionsOfSpaces1700000000004'),
  (1700000000005, 'CreateReadySpaces1700000000005'),
  (1700000000006, 'CountExecutions1700000000006'),
  (1700000000007, 'WaitForTurns1700000000007'),
  (1700000000008, 'IndexSecretNames1700000000008'),
  (1700000000009, 'RecordTaskScopes1700000000009'),
  (1700000000010, 'KeepRootsOfExecutions1700000000010'),
  (1700000000011, 'MeasureExecutions1700000000011'),
  (1700000000012, 'RecordKeysOfRuns1700000000012'),
  (1700000000013, 'IndexDeletedTasks1700000000013'),
  (1700000000014, 'MarkOversizedTasks1700000000014'),
  (1700000000015, 'CountLostExecutions1700000000015'),
  (1700000000016, 'StopClocks1700000000016'),
  (1700000000017, 'MovedClocks1700000000017'),
  (1700000000500, 'FindSpentAnswers1700000000500'),
  (1700000000501, 'QueueEvents1700000000501'),
  (1700000000502, 'QueueEventsBySpace1700000000502'),
  (1700000000503, 'IndexDueEventsBySpace1700000000503'),
  (1700000000504, 'FindOldDeadLetters1700000000504'),
  (1700000000505, 'CountLostWork1700000000505'),
  (1700000000506, 'ShowLostWork1700000000506');
