CREATE SCHEMA job;
CREATE FUNCTION job.mark_space_ready() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
     begin
       perform 1 from "job".ready_spaces where space_id = new.space_id and due_at <= greatest(new.run_at, clock_timestamp()) for key share;
       if not found then
         insert into "job".ready_spaces values (new.space_id, greatest(new.run_at, clock_timestamp()))
         on conflict (space_id) do update set due_at = clock_timestamp();
       end if;
       return null;
     end $$;
CREATE FUNCTION job.mark_space_unblocked() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
     begin
       perform 1 from "job".ready_spaces where space_id = new.space_id and due_at <= clock_timestamp() for key share;
       if not found then
         update "job".ready_spaces set due_at = clock_timestamp() where space_id = new.space_id and due_at > clock_timestamp();
       end if;
       return null;
     end $$;
CREATE FUNCTION job.mark_spaces_ready() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
     begin
       insert into "job".ready_spaces as marked
         select space_id, due_at from (
           select space_id, greatest(min(run_at), clock_timestamp()) as due_at from new_rows where phase in ('QUEUED', 'RETRYING') group by space_id) added
         where not exists (
           select 1 from "job".ready_spaces r where r.space_id = added.space_id and r.due_at <= added.due_at for key share)
         order by space_id
       on conflict (space_id) do update set due_at = least(marked.due_at, excluded.due_at);
       return null;
     end $$;
CREATE FUNCTION job.note_activity_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin insert into "job".activity_deltas (space_id, owner_id, hour, status, n)
       select space_id, owner_id, hour, status, sum(n) from (select space_id, created_by as owner_id, floor(extract(epoch from created_at) / 3600)::int as hour, phase as status, -1 as n from old_rows where true) changes group by 1, 2, 3, 4 having sum(n) <> 0; return null; end $$;
CREATE FUNCTION job.note_activity_insert() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin insert into "job".activity_deltas (space_id, owner_id, hour, status, n)
       select space_id, owner_id, hour, status, sum(n) from (select space_id, created_by as owner_id, floor(extract(epoch from created_at) / 3600)::int as hour, phase as status, 1 as n from new_rows where true) changes group by 1, 2, 3, 4 having sum(n) <> 0;if exists (select 1 from "job".activity_watches) then
       insert into "job".activity_changes (space_id, id) select changed.space_id, changed.id from (select space_id, id, phase from new_rows where true) changed
        where exists (select 1 from "job".activity_watches w where w.space_id = changed.space_id and w.until > clock_timestamp());
     end if; return null; end $$;
CREATE FUNCTION job.note_activity_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin insert into "job".activity_deltas (space_id, owner_id, hour, status, n)
       select space_id, owner_id, hour, status, sum(n) from (select space_id, created_by as owner_id, floor(extract(epoch from created_at) / 3600)::int as hour, phase as status, 1 as n from new_rows where true union all select space_id, created_by as owner_id, floor(extract(epoch from created_at) / 3600)::int as hour, phase as status, -1 as n from old_rows where true) changes group by 1, 2, 3, 4 having sum(n) <> 0;if exists (select 1 from "job".activity_watches) then
       insert into "job".activity_changes (space_id, id) select changed.space_id, changed.id from (select space_id, id, phase from new_rows where true except select space_id, id, phase from old_rows where true) changed
        where exists (select 1 from "job".activity_watches w where w.space_id = changed.space_id and w.until > clock_timestamp());
     end if; return null; end $$;
CREATE TABLE job.activity_changes (
    space_id uuid NOT NULL,
    id uuid NOT NULL
);
ALTER TABLE ONLY job.activity_changes FORCE ROW LEVEL SECURITY;
CREATE TABLE job.activity_counts (
    space_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    hour integer NOT NULL,
    status text NOT NULL,
    n bigint NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY job.activity_counts FORCE ROW LEVEL SECURITY;
CREATE TABLE job.activity_deltas (
    space_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    hour integer NOT NULL,
    status text NOT NULL,
    n integer NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY job.activity_deltas FORCE ROW LEVEL SECURITY;
CREATE TABLE job.activity_watches (
    space_id uuid NOT NULL,
    until timestamp with time zone NOT NULL
);
ALTER TABLE ONLY job.activity_watches FORCE ROW LEVEL SECURITY;
CREATE TABLE job.callbacks (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    job_id uuid NOT NULL,
    url text NOT NULL,
    body text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_result text,
    delivered_at timestamp with time zone,
    given_up_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE ONLY job.callbacks FORCE ROW LEVEL SECURITY;
CREATE TABLE job.dead_letter (
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
CREATE TABLE job.idempotency (
    space_id uuid NOT NULL,
    actor text NOT NULL,
    route text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    answer jsonb,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY job.idempotency FORCE ROW LEVEL SECURITY;
CREATE TABLE job.inbox (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE job.inbox_failure (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    attempts integer NOT NULL,
    error text NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE job.jobs (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    agent_id uuid NOT NULL,
    input jsonb NOT NULL,
    phase text NOT NULL,
    progress double precision DEFAULT 0 NOT NULL,
    progress_message text,
    result jsonb,
    error jsonb,
    attempt integer DEFAULT 0 NOT NULL,
    next_attempt integer DEFAULT 1 NOT NULL,
    max_attempts integer NOT NULL,
    turns integer DEFAULT 0 NOT NULL,
    turn_id uuid,
    interaction jsonb,
    priority integer NOT NULL,
    timeout_seconds integer NOT NULL,
    callback_url text,
    metadata jsonb NOT NULL,
    created_by uuid NOT NULL,
    scopes text[] NOT NULL,
    credential_id text,
    credential_type text NOT NULL,
    causation_id uuid,
    correlation_id uuid,
    depth integer NOT NULL,
    run_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    worker text,
    epoch integer DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    takeovers integer DEFAULT 0 NOT NULL,
    deadline_at timestamp with time zone,
    waiting_since timestamp with time zone,
    heartbeat_at timestamp with time zone,
    cancel_requested_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    looks integer DEFAULT 0 NOT NULL,
    bytes integer DEFAULT 0 NOT NULL,
    lost_at timestamp with time zone,
    taken_at timestamp with time zone,
    CONSTRAINT jobs_check CHECK (((result IS NULL) OR (error IS NULL))),
    CONSTRAINT jobs_phase_check CHECK ((phase = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'RETRYING'::text, 'WAITING_INPUT'::text, 'CANCELLING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'CANCELLED'::text, 'TIMED_OUT'::text]))),
    CONSTRAINT jobs_progress_check CHECK (((progress >= (0)::double precision) AND (progress <= (100)::double precision))),
    CONSTRAINT jobs_type_check CHECK ((type = 'AGENT_INVOKE'::text))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY job.jobs FORCE ROW LEVEL SECURITY;
CREATE TABLE job.lost_work (
    kind text NOT NULL,
    id uuid NOT NULL,
    space_id uuid,
    losses integer NOT NULL,
    lost_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    lost_by text,
    given_up_at timestamp with time zone,
    shown_id uuid
);
CREATE TABLE job.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);
CREATE SEQUENCE job.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE job.migrations_id_seq OWNED BY job.migrations.id;
CREATE TABLE job.moved_clocks (
    space_id uuid NOT NULL,
    until timestamp with time zone NOT NULL
);
ALTER TABLE ONLY job.moved_clocks FORCE ROW LEVEL SECURITY;
CREATE SEQUENCE job.outbox_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE job.outbox (
    id uuid NOT NULL,
    name text NOT NULL,
    at timestamp with time zone NOT NULL,
    ctx jsonb NOT NULL,
    data jsonb NOT NULL,
    order_key text,
    pending text[] NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    locked_until timestamp with time zone NOT NULL,
    seq bigint DEFAULT nextval('job.outbox_seq'::regclass)
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_cost_delay='0');
CREATE TABLE job.ready_spaces (
    space_id uuid NOT NULL,
    due_at timestamp with time zone NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY job.ready_spaces FORCE ROW LEVEL SECURITY;
CREATE UNLOGGED TABLE job.running_work (
    worker text NOT NULL,
    slot text NOT NULL,
    kind text NOT NULL,
    ids uuid[] NOT NULL,
    is_alone boolean DEFAULT false NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
CREATE TABLE job.stopped_clocks (
    space_id uuid NOT NULL,
    since timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE ONLY job.stopped_clocks FORCE ROW LEVEL SECURITY;
ALTER TABLE ONLY job.migrations ALTER COLUMN id SET DEFAULT nextval('job.migrations_id_seq'::regclass);
ALTER TABLE ONLY job.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);
ALTER TABLE ONLY job.activity_counts
    ADD CONSTRAINT activity_counts_pkey PRIMARY KEY (space_id, owner_id, hour, status);
ALTER TABLE ONLY job.activity_watches
    ADD CONSTRAINT activity_watches_pkey PRIMARY KEY (space_id);
ALTER TABLE ONLY job.callbacks
    ADD CONSTRAINT callbacks_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY job.dead_letter
    ADD CONSTRAINT dead_letter_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY job.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (space_id, actor, route, key);
ALTER TABLE ONLY job.inbox_failure
    ADD CONSTRAINT inbox_failure_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY job.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY job.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY job.lost_work
    ADD CONSTRAINT lost_work_pkey PRIMARY KEY (kind, id);
ALTER TABLE ONLY job.moved_clocks
    ADD CONSTRAINT moved_clocks_pkey PRIMARY KEY (space_id);
ALTER TABLE ONLY job.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY job.ready_spaces
    ADD CONSTRAINT ready_spaces_pkey PRIMARY KEY (space_id);
ALTER TABLE ONLY job.running_work
    ADD CONSTRAINT running_work_pkey PRIMARY KEY (worker, slot);
ALTER TABLE ONLY job.stopped_clocks
    ADD CONSTRAINT stopped_clocks_pkey PRIMARY KEY (space_id);
CREATE INDEX activity_changes_of_space ON job.activity_changes USING btree (space_id);
CREATE INDEX activity_counts_spent ON job.activity_counts USING btree (hour) WHERE (n = 0);
CREATE INDEX activity_deltas_of_space ON job.activity_deltas USING btree (space_id);
CREATE INDEX callbacks_due ON job.callbacks USING btree (due_at) WHERE ((delivered_at IS NULL) AND (given_up_at IS NULL));
CREATE UNIQUE INDEX callbacks_job ON job.callbacks USING btree (space_id, job_id);
CREATE INDEX callbacks_of_spaces ON job.callbacks USING btree (space_id, due_at) WHERE ((delivered_at IS NULL) AND (given_up_at IS NULL));
CREATE INDEX dead_letter_age ON job.dead_letter USING btree (last_at);
CREATE INDEX idempotency_expires ON job.idempotency USING btree (expires_at);
CREATE INDEX inbox_seen ON job.inbox USING brin (seen_at);
CREATE INDEX jobs_age ON job.jobs USING brin (created_at) WITH (autosummarize='on');
CREATE INDEX jobs_busy ON job.jobs USING btree (space_id) WHERE (phase = ANY (ARRAY['RUNNING'::text, 'CANCELLING'::text]));
CREATE INDEX jobs_chain ON job.jobs USING btree (space_id, correlation_id) WHERE (correlation_id IS NOT NULL);
CREATE INDEX jobs_deadline ON job.jobs USING btree (deadline_at) WHERE (phase = ANY (ARRAY['RUNNING'::text, 'RETRYING'::text, 'CANCELLING'::text]));
CREATE INDEX jobs_leased ON job.jobs USING btree (lease_until) WHERE (worker IS NOT NULL);
CREATE INDEX jobs_loose ON job.jobs USING btree (run_at) WHERE ((worker IS NULL) AND (phase = ANY (ARRAY['RUNNING'::text, 'CANCELLING'::text, 'WAITING_INPUT'::text])));
CREATE INDEX jobs_next ON job.jobs USING btree (space_id, run_at) WHERE (phase = ANY (ARRAY['QUEUED'::text, 'RETRYING'::text]));
CREATE INDEX jobs_of_maker ON job.jobs USING btree (space_id, created_by, id);
CREATE INDEX jobs_of_space ON job.jobs USING btree (space_id, phase, created_at, id);
CREATE INDEX jobs_of_turn ON job.jobs USING btree (space_id, turn_id) WHERE ((worker IS NULL) AND (phase = ANY (ARRAY['RUNNING'::text, 'CANCELLING'::text, 'WAITING_INPUT'::text])));
CREATE INDEX jobs_of_user ON job.jobs USING btree (space_id, created_by, phase, created_at, id);
CREATE INDEX jobs_queued ON job.jobs USING btree (space_id, priority DESC, id) WHERE (phase = ANY (ARRAY['QUEUED'::text, 'RETRYING'::text]));
CREATE INDEX lost_work_age ON job.lost_work USING btree (lost_at);
CREATE INDEX lost_work_of_id ON job.lost_work USING btree (id);
CREATE INDEX lost_work_shown ON job.lost_work USING btree (shown_id) WHERE (shown_id IS NOT NULL);
CREATE INDEX outbox_due ON job.outbox USING btree (locked_until);
CREATE INDEX outbox_due_turns ON job.outbox USING btree (COALESCE((ctx ->> 'spaceId'::text), ''::text), locked_until) WHERE (epoch >= 0);
CREATE INDEX outbox_queued ON job.outbox USING btree (seq) WHERE (epoch < 0);
CREATE INDEX outbox_queued_keys ON job.outbox USING btree (order_key, locked_until) WHERE (epoch < 0);
CREATE INDEX outbox_queued_turns ON job.outbox USING btree (COALESCE((ctx ->> 'spaceId'::text), ''::text), order_key, seq) WHERE (epoch < 0);
CREATE INDEX ready_spaces_due ON job.ready_spaces USING btree (due_at);
CREATE TRIGGER activity_delete AFTER DELETE ON job.jobs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION job.note_activity_delete();
CREATE TRIGGER activity_insert AFTER INSERT ON job.jobs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION job.note_activity_insert();
CREATE TRIGGER activity_update AFTER UPDATE ON job.jobs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION job.note_activity_update();
CREATE TRIGGER ready_when_added AFTER INSERT ON job.jobs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION job.mark_spaces_ready();
CREATE TRIGGER ready_when_queued AFTER UPDATE OF phase ON job.jobs FOR EACH ROW WHEN (((new.phase = ANY (ARRAY['QUEUED'::text, 'RETRYING'::text])) AND (old.phase IS DISTINCT FROM new.phase))) EXECUTE FUNCTION job.mark_space_ready();
CREATE TRIGGER ready_when_unblocked AFTER UPDATE OF phase ON job.jobs FOR EACH ROW WHEN (((old.phase = ANY (ARRAY['RUNNING'::text, 'CANCELLING'::text])) AND (new.phase <> ALL (ARRAY['RUNNING'::text, 'CANCELLING'::text])))) EXECUTE FUNCTION job.mark_space_unblocked();
ALTER TABLE ONLY job.callbacks
    ADD CONSTRAINT callbacks_space_id_job_id_fkey FOREIGN KEY (space_id, job_id) REFERENCES job.jobs(space_id, id) ON DELETE CASCADE;
ALTER TABLE job.activity_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE job.activity_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE job.activity_deltas ENABLE ROW LEVEL SECURITY;
ALTER TABLE job.activity_watches ENABLE ROW LEVEL SECURITY;
ALTER TABLE job.callbacks ENABLE ROW LEVEL SECURITY;
ALTER TABLE job.idempotency ENABLE ROW LEVEL SECURITY;
ALTER TABLE job.jobs ENABLE ROW LEVEL SECURITY;
ALTER TABLE job.moved_clocks ENABLE ROW LEVEL SECURITY;
ALTER TABLE job.ready_spaces ENABLE ROW LEVEL SECURITY;
ALTER TABLE job.stopped_clocks ENABLE ROW LEVEL SECURITY;
CREATE POLICY system ON job.activity_changes TO $DATABASE_job_system USING (true) WITH CHECK (true);
CREATE POLICY system ON job.activity_counts TO $DATABASE_job_system USING (true) WITH CHECK (true);
CREATE POLICY system ON job.activity_deltas TO $DATABASE_job_system USING (true) WITH CHECK (true);
CREATE POLICY system ON job.activity_watches TO $DATABASE_job_system USING (true) WITH CHECK (true);
CREATE POLICY system ON job.callbacks TO $DATABASE_job_system USING (true) WITH CHECK (true);
CREATE POLICY system ON job.idempotency TO $DATABASE_job_system USING (true) WITH CHECK (true);
CREATE POLICY system ON job.jobs TO $DATABASE_job_system USING (true) WITH CHECK (true);
CREATE POLICY system ON job.moved_clocks TO $DATABASE_job_system USING (true) WITH CHECK (true);
CREATE POLICY system ON job.ready_spaces TO $DATABASE_job_system USING (true) WITH CHECK (true);
CREATE POLICY system ON job.stopped_clocks TO $DATABASE_job_system USING (true) WITH CHECK (true);
CREATE POLICY tenant ON job.activity_changes TO $DATABASE_job USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON job.activity_counts TO $DATABASE_job USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON job.activity_deltas TO $DATABASE_job USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON job.activity_watches TO $DATABASE_job USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON job.callbacks TO $DATABASE_job USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON job.idempotency TO $DATABASE_job USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON job.jobs TO $DATABASE_job USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON job.moved_clocks TO $DATABASE_job USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON job.ready_spaces TO $DATABASE_job USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON job.stopped_clocks TO $DATABASE_job USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
GRANT USAGE ON SCHEMA job TO $DATABASE_job;
GRANT USAGE ON SCHEMA job TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.activity_changes TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.activity_changes TO $DATABASE_job;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.activity_counts TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.activity_counts TO $DATABASE_job;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.activity_deltas TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.activity_deltas TO $DATABASE_job;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.activity_watches TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.activity_watches TO $DATABASE_job;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.callbacks TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.callbacks TO $DATABASE_job;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.dead_letter TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.dead_letter TO $DATABASE_job;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.idempotency TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.idempotency TO $DATABASE_job;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.inbox TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.inbox TO $DATABASE_job;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.inbox_failure TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.inbox_failure TO $DATABASE_job;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.jobs TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.jobs TO $DATABASE_job;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.lost_work TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.lost_work TO $DATABASE_job;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.migrations TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.migrations TO $DATABASE_job;
GRANT SELECT,USAGE ON SEQUENCE job.migrations_id_seq TO $DATABASE_job_system;
GRANT SELECT,USAGE ON SEQUENCE job.migrations_id_seq TO $DATABASE_job;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.moved_clocks TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.moved_clocks TO $DATABASE_job;
GRANT SELECT,USAGE ON SEQUENCE job.outbox_seq TO $DATABASE_job_system;
GRANT SELECT,USAGE ON SEQUENCE job.outbox_seq TO $DATABASE_job;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.outbox TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.outbox TO $DATABASE_job;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.ready_spaces TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.ready_spaces TO $DATABASE_job;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.running_work TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.running_work TO $DATABASE_job;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.stopped_clocks TO $DATABASE_job_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE job.stopped_clocks TO $DATABASE_job;
ALTER DEFAULT PRIVILEGES IN SCHEMA job GRANT SELECT,USAGE ON SEQUENCES  TO $DATABASE_job_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA job GRANT SELECT,USAGE ON SEQUENCES  TO $DATABASE_job;
ALTER DEFAULT PRIVILEGES IN SCHEMA job GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO $DATABASE_job_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA job GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO $DATABASE_job;
INSERT INTO job.migrations ("timestamp", name) VALUES
(1700000000000, 'MessagingTables1700000000000'),
  (1700000000001, 'CreateJobs1700000000001'),
  (1700000000002, 'IndexJobAge1700000000002'),
  (1700000000003, 'CreateReadySpaces1700000000003'),
  (1700000000004, 'CountJobs1700000000004'),
  (1700000000005, 'WaitForTurns1700000000005'),
  (1700000000006, 'MeasureJobs1700000000006'),
  (1700000000007, 'CountLostJobs1700000000007'),
  (1700000000008, 'CallbacksOfSpaces1700000000008'),
  (1700000000009, 'StopClocks1700000000009'),
  (1700000000010, 'MovedClocks1700000000010'),
  (1700000000500, 'FindSpentAnswers1700000000500'),
  (1700000000501, 'QueueEvents1700000000501'),
  (1700000000502, 'QueueEventsBySpace1700000000502'),
  (1700000000503, 'IndexDueEventsBySpace1700000000503'),
  (1700000000504, 'FindOldDeadLetters1700000000504'),
  (1700000000505, 'CountLostWork1700000000505'),
  (1700000000506, 'ShowLostWork1700000000506');
