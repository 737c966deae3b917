CREATE SCHEMA event_bus;
CREATE FUNCTION event_bus.bytes_over(value jsonb, max integer) RETURNS integer
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
CREATE FUNCTION event_bus.keep_oversized_of_applications() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      new.oversized := event_bus.oversized_of_applications(new.manifest);
      
      return new;
    end $$;
CREATE FUNCTION event_bus.keep_oversized_of_registered_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      new.oversized := event_bus.oversized_of_registered_events(new.emit_on);
      if (new.oversized -> 0 ->> 'bytes')::bigint > 4 * (new.oversized -> 0 ->> 'limit')::bigint then new.emit_on := null; new.emit_dataset := null; end if;
      return new;
    end $$;
CREATE FUNCTION event_bus.keep_oversized_of_subscriptions() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      new.oversized := event_bus.oversized_of_subscriptions(new.filter);
      if (new.oversized -> 0 ->> 'bytes')::bigint > 4 * (new.oversized -> 0 ->> 'limit')::bigint then new.active := false; end if;
      return new;
    end $$;
CREATE FUNCTION event_bus.note_activity_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin insert into "event_bus".activity_deltas (space_id, owner_id, hour, status, n)
       select space_id, owner_id, hour, status, sum(n) from (select space_id, '00000000-0000-0000-0000-000000000000'::uuid as owner_id, floor(extract(epoch from emitted_at) / 3600)::int as hour, status as status, -1 as n from old_rows where true) changes group by 1, 2, 3, 4 having sum(n) <> 0; return null; end $$;
CREATE FUNCTION event_bus.note_activity_insert() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin insert into "event_bus".activity_deltas (space_id, owner_id, hour, status, n)
       select space_id, owner_id, hour, status, sum(n) from (select space_id, '00000000-0000-0000-0000-000000000000'::uuid as owner_id, floor(extract(epoch from emitted_at) / 3600)::int as hour, status as status, 1 as n from new_rows where true) changes group by 1, 2, 3, 4 having sum(n) <> 0;if exists (select 1 from "event_bus".activity_watches) then
       insert into "event_bus".activity_changes (space_id, id) select changed.space_id, changed.id from (select space_id, id, status from new_rows where true) changed
        where exists (select 1 from "event_bus".activity_watches w where w.space_id = changed.space_id and w.until > clock_timestamp());
     end if; return null; end $$;
CREATE FUNCTION event_bus.note_activity_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin insert into "event_bus".activity_deltas (space_id, owner_id, hour, status, n)
       select space_id, owner_id, hour, status, sum(n) from (select space_id, '00000000-0000-0000-0000-000000000000'::uuid as owner_id, floor(extract(epoch from emitted_at) / 3600)::int as hour, status as status, 1 as n from new_rows where true union all select space_id, '00000000-0000-0000-0000-000000000000'::uuid as owner_id, floor(extract(epoch from emitted_at) / 3600)::int as hour, status as status, -1 as n from old_rows where true) changes group by 1, 2, 3, 4 having sum(n) <> 0;if exists (select 1 from "event_bus".activity_watches) then
       insert into "event_bus".activity_changes (space_id, id) select changed.space_id, changed.id from (select space_id, id, status from new_rows where true except select space_id, id, status from old_rows where true) changed
        where exists (select 1 from "event_bus".activity_watches w where w.space_id = changed.space_id and w.until > clock_timestamp());
     end if; return null; end $$;
CREATE FUNCTION event_bus.oversized_of_applications(manifest jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
      select jsonb_agg(jsonb_build_object('path', path, 'bytes', bytes, 'limit', max) order by bytes::float / max desc)
        from (values ('manifest', event_bus.bytes_over(manifest, 1048576), 1048576)) as field (path, bytes, max) where bytes is not null
    $$;
CREATE FUNCTION event_bus.oversized_of_registered_events(emit_on jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
      select jsonb_agg(jsonb_build_object('path', path, 'bytes', bytes, 'limit', max) order by bytes::float / max desc)
        from (values ('emitOn.filter', event_bus.bytes_over(emit_on -> 'filter', 16384), 16384)) as field (path, bytes, max) where bytes is not null
    $$;
CREATE FUNCTION event_bus.oversized_of_subscriptions(filter jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
      select jsonb_agg(jsonb_build_object('path', path, 'bytes', bytes, 'limit', max) order by bytes::float / max desc)
        from (values ('filter', event_bus.bytes_over(filter, 16384), 16384)) as field (path, bytes, max) where bytes is not null
    $$;
CREATE TABLE event_bus.activity_changes (
    space_id uuid NOT NULL,
    id uuid NOT NULL
);
ALTER TABLE ONLY event_bus.activity_changes FORCE ROW LEVEL SECURITY;
CREATE TABLE event_bus.activity_counts (
    space_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    hour integer NOT NULL,
    status text NOT NULL,
    n bigint NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY event_bus.activity_counts FORCE ROW LEVEL SECURITY;
CREATE TABLE event_bus.activity_deltas (
    space_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    hour integer NOT NULL,
    status text NOT NULL,
    n integer NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY event_bus.activity_deltas FORCE ROW LEVEL SECURITY;
CREATE TABLE event_bus.activity_watches (
    space_id uuid NOT NULL,
    until timestamp with time zone NOT NULL
);
ALTER TABLE ONLY event_bus.activity_watches FORCE ROW LEVEL SECURITY;
CREATE TABLE event_bus.application_changes (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    application_id uuid NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    identifier text,
    kind text DEFAULT 'upgrade'::text NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    actor jsonb,
    watches jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT application_changes_kind_check CHECK ((kind = ANY (ARRAY['install'::text, 'upgrade'::text, 'uninstall'::text, 'rotate'::text])))
);
ALTER TABLE ONLY event_bus.application_changes FORCE ROW LEVEL SECURITY;
CREATE TABLE event_bus.applications (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    identifier text NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    manifest jsonb NOT NULL,
    revision integer DEFAULT 1 NOT NULL,
    system_key_id uuid,
    installed_by uuid,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    oversized jsonb
);
ALTER TABLE ONLY event_bus.applications FORCE ROW LEVEL SECURITY;
CREATE TABLE event_bus.dead_letter (
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
CREATE TABLE event_bus.deliveries (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    envelope_id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    task_id uuid NOT NULL,
    replay integer NOT NULL,
    status text DEFAULT 'PENDING'::text NOT NULL,
    execution_id uuid,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    settled_at timestamp with time zone,
    CONSTRAINT deliveries_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'TRIGGERED'::text, 'SKIPPED'::text, 'FAILED'::text])))
)
WITH (fillfactor='85');
ALTER TABLE ONLY event_bus.deliveries FORCE ROW LEVEL SECURITY;
CREATE TABLE event_bus.emissions (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    seq bigint NOT NULL,
    lane smallint NOT NULL,
    app_identifier text NOT NULL,
    event text NOT NULL,
    event_id uuid NOT NULL,
    payload jsonb NOT NULL,
    source text NOT NULL,
    status text NOT NULL,
    matched_subscriptions integer DEFAULT 0 NOT NULL,
    idempotency_key text,
    fingerprint text,
    actor_user_id uuid,
    causation_id uuid,
    correlation_id uuid NOT NULL,
    depth integer NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    replays integer DEFAULT 0 NOT NULL,
    error jsonb,
    emitted_at timestamp with time zone NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    dispatched_at timestamp with time zone,
    payload_bytes integer DEFAULT 0 NOT NULL,
    parent text,
    root uuid,
    CONSTRAINT emissions_sources CHECK ((source = ANY (ARRAY['datasource'::text, 'app'::text, 'system'::text, 'user'::text]))),
    CONSTRAINT emissions_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DISPATCHED'::text, 'SKIPPED'::text, 'FAILED'::text])))
)
WITH (fillfactor='85', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY event_bus.emissions FORCE ROW LEVEL SECURITY;
ALTER TABLE event_bus.emissions ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME event_bus.emissions_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE event_bus.idempotency (
    space_id uuid NOT NULL,
    actor text NOT NULL,
    route text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    answer jsonb,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY event_bus.idempotency FORCE ROW LEVEL SECURITY;
CREATE TABLE event_bus.inbox (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE event_bus.inbox_failure (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    attempts integer NOT NULL,
    error text NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE event_bus.lost_work (
    kind text NOT NULL,
    id uuid NOT NULL,
    space_id uuid,
    losses integer NOT NULL,
    lost_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    lost_by text,
    given_up_at timestamp with time zone,
    shown_id uuid
);
CREATE TABLE event_bus.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);
CREATE SEQUENCE event_bus.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE event_bus.migrations_id_seq OWNED BY event_bus.migrations.id;
CREATE SEQUENCE event_bus.outbox_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE event_bus.outbox (
    id uuid NOT NULL,
    name text NOT NULL,
    at timestamp with time zone NOT NULL,
    ctx jsonb NOT NULL,
    data jsonb NOT NULL,
    order_key text,
    pending text[] NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    locked_until timestamp with time zone NOT NULL,
    seq bigint DEFAULT nextval('event_bus.outbox_seq'::regclass)
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_cost_delay='0');
CREATE TABLE event_bus.registered_events (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    application_id uuid,
    app_identifier text NOT NULL,
    name text NOT NULL,
    description text,
    schema jsonb NOT NULL,
    schema_fingerprint text NOT NULL,
    emit_on jsonb,
    emit_dataset uuid,
    active boolean NOT NULL,
    subscriptions_revision integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    emit_types jsonb,
    oversized jsonb
);
ALTER TABLE ONLY event_bus.registered_events FORCE ROW LEVEL SECURITY;
CREATE TABLE event_bus.root_budgets (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    runs integer NOT NULL
);
ALTER TABLE ONLY event_bus.root_budgets FORCE ROW LEVEL SECURITY;
CREATE UNLOGGED TABLE event_bus.running_work (
    worker text NOT NULL,
    slot text NOT NULL,
    kind text NOT NULL,
    ids uuid[] NOT NULL,
    is_alone boolean DEFAULT false NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
CREATE TABLE event_bus.subscriptions (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    event_id uuid NOT NULL,
    task_id uuid NOT NULL,
    filter jsonb,
    active boolean NOT NULL,
    origin text NOT NULL,
    default_key text,
    brings_task boolean DEFAULT false NOT NULL,
    created_by uuid,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    oversized jsonb,
    CONSTRAINT subscriptions_origin_check CHECK ((origin = ANY (ARRAY['DEFAULT'::text, 'USER'::text])))
);
ALTER TABLE ONLY event_bus.subscriptions FORCE ROW LEVEL SECURITY;
ALTER TABLE ONLY event_bus.migrations ALTER COLUMN id SET DEFAULT nextval('event_bus.migrations_id_seq'::regclass);
ALTER TABLE ONLY event_bus.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);
ALTER TABLE ONLY event_bus.activity_counts
    ADD CONSTRAINT activity_counts_pkey PRIMARY KEY (space_id, owner_id, hour, status);
ALTER TABLE ONLY event_bus.activity_watches
    ADD CONSTRAINT activity_watches_pkey PRIMARY KEY (space_id);
ALTER TABLE ONLY event_bus.application_changes
    ADD CONSTRAINT application_changes_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY event_bus.applications
    ADD CONSTRAINT applications_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY event_bus.applications
    ADD CONSTRAINT applications_space_id_identifier_key UNIQUE (space_id, identifier);
ALTER TABLE ONLY event_bus.dead_letter
    ADD CONSTRAINT dead_letter_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY event_bus.deliveries
    ADD CONSTRAINT deliveries_once UNIQUE (space_id, envelope_id, subscription_id, replay);
ALTER TABLE ONLY event_bus.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY event_bus.emissions
    ADD CONSTRAINT emissions_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY event_bus.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (space_id, actor, route, key);
ALTER TABLE ONLY event_bus.inbox_failure
    ADD CONSTRAINT inbox_failure_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY event_bus.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY event_bus.lost_work
    ADD CONSTRAINT lost_work_pkey PRIMARY KEY (kind, id);
ALTER TABLE ONLY event_bus.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY event_bus.registered_events
    ADD CONSTRAINT registered_events_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY event_bus.registered_events
    ADD CONSTRAINT registered_events_space_id_app_identifier_name_key UNIQUE (space_id, app_identifier, name);
ALTER TABLE ONLY event_bus.root_budgets
    ADD CONSTRAINT root_budgets_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY event_bus.running_work
    ADD CONSTRAINT running_work_pkey PRIMARY KEY (worker, slot);
ALTER TABLE ONLY event_bus.subscriptions
    ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (space_id, id);
CREATE INDEX activity_changes_of_space ON event_bus.activity_changes USING btree (space_id);
CREATE INDEX activity_counts_spent ON event_bus.activity_counts USING btree (hour) WHERE (n = 0);
CREATE INDEX activity_deltas_of_space ON event_bus.activity_deltas USING btree (space_id);
CREATE UNIQUE INDEX application_changes_one_at_a_time ON event_bus.application_changes USING btree (space_id, identifier);
CREATE INDEX application_changes_started ON event_bus.application_changes USING btree (started_at);
CREATE INDEX dead_letter_age ON event_bus.dead_letter USING btree (last_at);
CREATE INDEX emissions_age ON event_bus.emissions USING brin (emitted_at) WITH (autosummarize='on');
CREATE INDEX emissions_chain ON event_bus.emissions USING btree (space_id, correlation_id, id) WHERE (depth > 0);
CREATE INDEX emissions_event ON event_bus.emissions USING btree (space_id, event, id);
CREATE UNIQUE INDEX emissions_key ON event_bus.emissions USING btree (space_id, app_identifier, event, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX emissions_of_space ON event_bus.emissions USING btree (space_id, status, emitted_at, id);
CREATE INDEX emissions_of_user ON event_bus.emissions USING btree (space_id, actor_user_id, status, emitted_at, id) WHERE (actor_user_id IS NOT NULL);
CREATE INDEX emissions_pending ON event_bus.emissions USING btree (lane, seq) WHERE (status = 'PENDING'::text);
CREATE INDEX emissions_pending_of_space ON event_bus.emissions USING btree (lane, space_id, seq) WHERE (status = 'PENDING'::text);
CREATE INDEX emissions_root ON event_bus.emissions USING btree (space_id, root) WHERE (root IS NOT NULL);
CREATE INDEX emissions_stopped ON event_bus.emissions USING btree (space_id, status, id) WHERE (status = ANY (ARRAY['SKIPPED'::text, 'FAILED'::text]));
CREATE INDEX idempotency_expires ON event_bus.idempotency USING btree (expires_at);
CREATE INDEX inbox_seen ON event_bus.inbox USING brin (seen_at);
CREATE INDEX lost_work_age ON event_bus.lost_work USING btree (lost_at);
CREATE INDEX lost_work_of_id ON event_bus.lost_work USING btree (id);
CREATE INDEX lost_work_shown ON event_bus.lost_work USING btree (shown_id) WHERE (shown_id IS NOT NULL);
CREATE INDEX outbox_due ON event_bus.outbox USING btree (locked_until);
CREATE INDEX outbox_due_turns ON event_bus.outbox USING btree (COALESCE((ctx ->> 'spaceId'::text), ''::text), locked_until) WHERE (epoch >= 0);
CREATE INDEX outbox_queued ON event_bus.outbox USING btree (seq) WHERE (epoch < 0);
CREATE INDEX outbox_queued_keys ON event_bus.outbox USING btree (order_key, locked_until) WHERE (epoch < 0);
CREATE INDEX outbox_queued_turns ON event_bus.outbox USING btree (COALESCE((ctx ->> 'spaceId'::text), ''::text), order_key, seq) WHERE (epoch < 0);
CREATE INDEX registered_events_dataset ON event_bus.registered_events USING btree (space_id, emit_dataset) WHERE (active AND (emit_dataset IS NOT NULL));
CREATE INDEX subscriptions_event ON event_bus.subscriptions USING btree (space_id, event_id);
CREATE INDEX subscriptions_task ON event_bus.subscriptions USING btree (space_id, task_id);
CREATE TRIGGER activity_delete AFTER DELETE ON event_bus.emissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION event_bus.note_activity_delete();
CREATE TRIGGER activity_insert AFTER INSERT ON event_bus.emissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION event_bus.note_activity_insert();
CREATE TRIGGER activity_update AFTER UPDATE ON event_bus.emissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION event_bus.note_activity_update();
CREATE TRIGGER keep_oversized BEFORE INSERT OR UPDATE OF manifest ON event_bus.applications FOR EACH ROW EXECUTE FUNCTION event_bus.keep_oversized_of_applications();
CREATE TRIGGER keep_oversized BEFORE INSERT OR UPDATE OF emit_on ON event_bus.registered_events FOR EACH ROW EXECUTE FUNCTION event_bus.keep_oversized_of_registered_events();
CREATE TRIGGER keep_oversized BEFORE INSERT OR UPDATE OF filter ON event_bus.subscriptions FOR EACH ROW EXECUTE FUNCTION event_bus.keep_oversized_of_subscriptions();
ALTER TABLE ONLY event_bus.subscriptions
    ADD CONSTRAINT subscriptions_space_id_event_id_fkey FOREIGN KEY (space_id, event_id) REFERENCES event_bus.registered_events(space_id, id);
ALTER TABLE event_bus.activity_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_bus.activity_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_bus.activity_deltas ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_bus.activity_watches ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_bus.application_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_bus.applications ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_bus.deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_bus.emissions ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_bus.idempotency ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_bus.registered_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_bus.root_budgets ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_bus.subscriptions ENABLE ROW LEVEL SECURITY;
CREATE POLICY system ON event_bus.activity_changes TO $DATABASE_event_bus_system USING (true) WITH CHECK (true);
CREATE POLICY system ON event_bus.activity_counts TO $DATABASE_event_bus_system USING (true) WITH CHECK (true);
CREATE POLICY system ON event_bus.activity_deltas TO $DATABASE_event_bus_system USING (true) WITH CHECK (true);
CREATE POLICY system ON event_bus.activity_watches TO $DATABASE_event_bus_system USING (true) WITH CHECK (true);
CREATE POLICY system ON event_bus.application_changes TO $DATABASE_event_bus_system USING (true) WITH CHECK (true);
CREATE POLICY system ON event_bus.applications TO $DATABASE_event_bus_system USING (true) WITH CHECK (true);
CREATE POLICY system ON event_bus.deliveries TO $DATABASE_event_bus_system USING (true) WITH CHECK (true);
CREATE POLICY system ON event_bus.emissions TO $DATABASE_event_bus_system USING (true) WITH CHECK (true);
CREATE POLICY system ON event_bus.idempotency TO $DATABASE_event_bus_system USING (true) WITH CHECK (true);
CREATE POLICY system ON event_bus.registered_events TO $DATABASE_event_bus_system USING (true) WITH CHECK (true);
CREATE POLICY system ON event_bus.root_budgets TO $DATABASE_event_bus_system USING (true) WITH CHECK (true);
CREATE POLICY system ON event_bus.subscriptions TO $DATABASE_event_bus_system USING (true) WITH CHECK (true);
CREATE POLICY tenant ON event_bus.activity_changes TO $DATABASE_event_bus USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON event_bus.activity_counts TO $DATABASE_event_bus USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON event_bus.activity_deltas TO $DATABASE_event_bus USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON event_bus.activity_watches TO $DATABASE_event_bus USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON event_bus.application_changes TO $DATABASE_event_bus USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON event_bus.applications TO $DATABASE_event_bus USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON event_bus.deliveries TO $DATABASE_event_bus USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON event_bus.emissions TO $DATABASE_event_bus USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON event_bus.idempotency TO $DATABASE_event_bus USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON event_bus.registered_events TO $DATABASE_event_bus USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON event_bus.root_budgets TO $DATABASE_event_bus USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON event_bus.subscriptions TO $DATABASE_event_bus USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
GRANT USAGE ON SCHEMA event_bus TO $DATABASE_event_bus;
GRANT USAGE ON SCHEMA event_bus TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.activity_changes TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.activity_changes TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.activity_counts TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.activity_counts TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.activity_deltas TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.activity_deltas TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.activity_watches TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.activity_watches TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.application_changes TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.application_changes TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.applications TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.applications TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.dead_letter TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.dead_letter TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.deliveries TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.deliveries TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.emissions TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.emissions TO $DATABASE_event_bus;
GRANT SELECT,USAGE ON SEQUENCE event_bus.emissions_seq_seq TO $DATABASE_event_bus_system;
GRANT SELECT,USAGE ON SEQUENCE event_bus.emissions_seq_seq TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.idempotency TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.idempotency TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.inbox TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.inbox TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.inbox_failure TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.inbox_failure TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.lost_work TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.lost_work TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.migrations TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.migrations TO $DATABASE_event_bus;
GRANT SELECT,USAGE ON SEQUENCE event_bus.migrations_id_seq TO $DATABASE_event_bus_system;
GRANT SELECT,USAGE ON SEQUENCE event_bus.migrations_id_seq TO $DATABASE_event_bus;
GRANT SELECT,USAGE ON SEQUENCE event_bus.outbox_seq TO $DATABASE_event_bus_system;
GRANT SELECT,USAGE ON SEQUENCE event_bus.outbox_seq TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.outbox TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.outbox TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.registered_events TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.registered_events TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.root_budgets TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.root_budgets TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.running_work TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.running_work TO $DATABASE_event_bus;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.subscriptions TO $DATABASE_event_bus_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE event_bus.subscriptions TO $DATABASE_event_bus;
ALTER DEFAULT PRIVILEGES IN SCHEMA event_bus GRANT SELECT,USAGE ON SEQUENCES  TO $DATABASE_event_bus_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA event_bus GRANT SELECT,USAGE ON SEQUENCES  TO $DATABASE_event_bus;
ALTER DEFAULT PRIVILEGES IN SCHEMA event_bus GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO $DATABASE_event_bus_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA event_bus GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO $DATABASE_event_bus;
INSERT INTO event_bus.migrations ("timestamp", name) VALUES
(1700000000000, 'MessagingTables1700000000000'),
  (1700000000001, 'CreateApplications1700000000001'),
  (1700000000002, 'CreateEmissions1700000000002'),
  (1700000000003, 'CreateApplicationChanges1700000000003'),
  (1700000000004, 'IndexEmissionAge1700000000004'),
  (1700000000005, 'KeepFilterTypes1700000000005'),
  (1700000000006, 'KeepPayloadBytes1700000000006'),
  (1700000000007, 'CountEmissions1700000000007'),
  (1700000000008, 'KeepRootsOfEmissions1700000000008'),
  (1700000000009, 'IndexWaitingBySpace1700000000009'),
  (1700000000010, 'NoteChangesOfApplications1700000000010'),
  (1700000000011, 'KeepWhatChangesLeave1700000000011'),
  (1700000000012, 'LetUsersEmit1700000000012'),
  (1700000000013, 'MarkOversizedSubscriptions1700000000013'),
  (1700000000014, 'MarkOversizedManifests1700000000014'),
  (1700000000500, 'FindSpentAnswers1700000000500'),
  (1700000000501, 'QueueEvents1700000000501'),
  (1700000000502, 'QueueEventsBySpace1700000000502'),
  (1700000000503, 'IndexDueEventsBySpace1700000000503'),
  (1700000000504, 'FindOldDeadLetters1700000000504'),
  (1700000000505, 'CountLostWork1700000000505'),
  (1700000000506, 'ShowLostWork1700000000506');
