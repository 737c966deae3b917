CREATE SCHEMA dataset;
CREATE FUNCTION dataset.add_record_columns(dataset uuid, fields jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'dataset', 'pg_temp'
    AS $$
      declare
        name text := check_record_table(dataset);
        adding text;
        f record;
      begin
        select string_agg(format('add column c%s %s', (x->>'column')::smallint, record_column_type(x->>'type')), ', ')
          into adding from jsonb_array_elements(fields) x;
        execute format('alter table %I %s', name, adding);
        for f in select (x->>'column')::smallint as n, x->>'type' as type,
            coalesce((x->>'unique')::boolean, false) as is_unique, coalesce((x->>'indexed')::boolean, false) as is_indexed,
            coalesce((x->>'fullText')::boolean, false) as has_words
          from jsonb_array_elements(fields) x
        loop
          if f.is_unique then
            execute format('create unique index %I on %I (space_id, c%s)', name || '_c' || f.n || '_key', name, f.n);
          elsif f.is_indexed and f.type = 'string[]' then
            execute format('create index %I on %I using gin (c%s)', name || '_c' || f.n, name, f.n);
          elsif f.is_indexed and f.type = 'json' then
            execute format('create index %I on %I using gin (c%s jsonb_path_ops)', name || '_c' || f.n, name, f.n);
          elsif f.is_indexed then
            execute format('create index %I on %I (space_id, c%s, id)', name || '_c' || f.n, name, f.n);
          end if;
          if f.has_words then
            execute format('create index if not exists %I on %I using gin (words)', name || '_words', name);
          end if;
        end loop;
      end $$;
CREATE FUNCTION dataset.add_record_writes_week(begin_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'dataset', 'pg_temp'
    AS $_$
    declare
      week text := 'record_writes_p' || to_char(begin_at at time zone 'UTC', 'YYYYMMDD');
    begin
      execute format('create table %I (like record_writes including all)', week);
      
  execute format('alter table %I enable row level security', week);
  execute format('alter table %I force row level security', week);
  execute format($p$create policy tenant on %I to "$DATABASE_dataset" using (space_id = nullif(current_setting('app.space_id', true), '')::uuid) with check (space_id = nullif(current_setting('app.space_id', true), '')::uuid)$p$, week);
  execute format($p$create policy system on %I to "$DATABASE_dataset_system" using (true) with check (true)$p$, week);
      execute format('revoke all on %I from "$DATABASE_dataset", "$DATABASE_dataset_system"', week);
      execute format('grant select on %I to "$DATABASE_dataset_system"', week);
      execute format('create trigger goes_as_a_whole before delete or truncate on %I for each statement execute function refuse_delete_of_weeks()', week);
      execute format('alter table record_writes attach partition %I for values from (%L) to (%L)', week, week_bound(begin_at), week_bound(begin_at + interval '7 days'));
    end $_$;
CREATE FUNCTION dataset.check_record_table(dataset uuid) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'dataset', 'pg_temp'
    AS $$
      declare name text := record_table(dataset);
      begin
        if obj_description(to_regclass(name)::oid) is distinct from current_setting('app.space_id', true) then
          raise exception 'no such dataset in this Space' using errcode = '42501';
        end if;
        return name;
      end $$;
CREATE FUNCTION dataset.drop_record_table(dataset uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'dataset', 'pg_temp'
    AS $_$
      declare
        name text := check_record_table(dataset);
        vectors record;
      begin
        for vectors in select c.relname from pg_class c where c.relkind = 'r' and c.relnamespace = 'dataset'::regnamespace
          and c.relname ~ ('^' || replace(name, 'ds_', 'dv_') || '_[0-9]+$')
        loop
          execute format('drop table %I', vectors.relname);
        end loop;
        execute format('drop table %I', name);
      end $_$;
CREATE FUNCTION dataset.drop_record_writes_week(week text, days integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'dataset', 'pg_temp'
    SET lock_timeout TO '100'
    AS $$
    begin
      if not exists (select 1 from weeks_of('record_writes') w where w.name = week
                        and w.until_at < clock_timestamp() - make_interval(days => greatest(days, 1))) then
        raise exception 'no week of record_writes that ended long enough ago' using errcode = '42501';
      end if;
      execute format('drop table %I', week);
    end $$;
CREATE FUNCTION dataset.enable_pgvector(OUT home text, OUT version text, OUT problem text) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'dataset', 'pg_temp'
    AS $$
      begin
        perform pg_advisory_xact_lock(73003);
        if not exists (select 1 from pg_extension where extname = 'vector')
          and exists (select 1 from pg_available_extensions where name = 'vector') then
          begin
            execute 'create extension vector schema dataset';
          exception when insufficient_privilege then
            problem := 'the extension is there, but not for the owner of this schema to create';
            return;
          end;
        end if;
        select quote_ident(n.nspname), e.extversion,
            case when not has_schema_privilege(session_user, n.oid, 'usage')
              then 'the service may not use the schema that the extension is in' end
          into home, version, problem
          from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector';
      end $$;
CREATE FUNCTION dataset.in_space(space uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$ select coalesce(nullif(current_setting('app.space_id', true), '')::uuid = space, false) $$;
CREATE FUNCTION dataset.largest_record(space uuid, dataset uuid) RETURNS integer
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
        begin
          return (select coalesce(max(coalesce(n.largest, 2147483647)), 0) from dataset_counts n
            where n.space_id = space and n.dataset_id = dataset);
        end $$;
CREATE FUNCTION dataset.make_record_table(dataset uuid, fields jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'dataset', 'pg_temp'
    AS $_$
      declare
        name text := record_table(dataset);
        space uuid := nullif(current_setting('app.space_id', true), '')::uuid;
      begin
        if space is null then raise exception 'no Space' using errcode = '42501'; end if;
        execute format('create table %I (space_id uuid not null, id uuid not null, created_at timestamp not null,
          updated_at timestamp not null, nulls smallint[], words tsvector, import_id uuid, primary key (space_id, id))', name);
        execute format('comment on table %I is %L', name, space);
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format($p$create policy tenant on %I to "$DATABASE_dataset" using (in_space(%L) or space_id = nullif(current_setting('app.space_id', true), '')::uuid) with check (space_id = nullif(current_setting('app.space_id', true), '')::uuid)$p$, name, space);
        execute format($p$create policy system on %I to "$DATABASE_dataset_system" using (true) with check (true)$p$, name);
        perform add_record_columns(dataset, fields);
      end $_$;
CREATE FUNCTION dataset.make_record_writes_week(ahead integer) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'dataset', 'pg_temp'
    SET lock_timeout TO '100'
    AS $$
    declare
      begin_at timestamptz;
    begin
      if not pg_try_advisory_xact_lock(74201, hashtext(current_schema() || '.record_writes')) then return false; end if;
      begin_at := greatest((select max(until_at) from weeks_of('record_writes')), date_trunc('week', clock_timestamp(), 'UTC'));
      while begin_at < clock_timestamp() + make_interval(weeks => least(ahead, 8)) loop
        begin
          perform add_record_writes_week(begin_at);
          return true;
        exception when check_violation then
          begin_at := begin_at + interval '7 days';
        end;
      end loop;
      return false;
    end $$;
CREATE FUNCTION dataset.make_vector_table(dataset uuid, field smallint, dimensions integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'dataset', 'pg_temp'
    AS $_$
      declare
        space uuid := nullif(current_setting('app.space_id', true), '')::uuid;
        name text := replace(check_record_table(dataset), 'ds_', 'dv_') || '_' || field;
        extension text := (select quote_ident(n.nspname) from pg_extension e join pg_namespace n on n.oid = e.extnamespace
          where e.extname = 'vector');
      begin
        execute format('drop table if exists %I', name);
        execute format('create table %I (space_id uuid not null, record_id uuid not null, revision int not null,
          embedding %s.vector(%s) not null, primary key (space_id, record_id))', name, extension, dimensions);
        execute format('comment on table %I is %L', name, space);
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format($p$create policy tenant on %I to "$DATABASE_dataset" using (in_space(%L) or space_id = nullif(current_setting('app.space_id', true), '')::uuid) with check (space_id = nullif(current_setting('app.space_id', true), '')::uuid)$p$, name, space);
        execute format($p$create policy system on %I to "$DATABASE_dataset_system" using (true) with check (true)$p$, name);
        execute format('create index %I on %I using hnsw (embedding %s.vector_cosine_ops) with (m = 16, ef_construction = 100)',
          name || '_near', name, extension);
      end $_$;
CREATE FUNCTION dataset.paired(run text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
        select coalesce(string_agg(c || after, ' ' order by place) filter (where after is not null), run)
        from (select c, place, lead(c) over (order by place) as after
              from unnest(string_to_array(run, null)) with ordinality as s(c, place)) t $$;
CREATE FUNCTION dataset.record_column_type(type text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
      begin
        return case type
          when 'string' then 'text collate "C"' when 'text' then 'text collate "C"'
          when 'integer' then 'bigint' when 'number' then 'double precision' when 'decimal' then 'numeric'
          when 'boolean' then 'boolean' when 'date' then 'date' when 'datetime' then 'timestamp'
          when 'uuid' then 'uuid' when 'json' then 'jsonb' when 'string[]' then 'text[] collate "C"' end;
      end $$;
CREATE FUNCTION dataset.record_table(dataset uuid) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ select 'ds_' || replace(dataset::text, '-', '') $$;
CREATE FUNCTION dataset.refuse_delete_of_weeks() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      raise exception '% goes by weeks: no rows of it are deleted', tg_table_name using errcode = '42501';
    end $$;
CREATE FUNCTION dataset.row_words(language regconfig, texts text[], weights text, characters integer) RETURNS tsvector
    LANGUAGE plpgsql IMMUTABLE PARALLEL RESTRICTED
    AS $$
        declare words tsvector;
        begin
          loop
            begin
              words := '';
              for i in 1 .. cardinality(texts) loop
                continue when texts[i] is null;
                words := words || setweight(
                  to_tsvector(language, spaced(translate(left(texts[i], characters), '<>', '  '))),
                  substr(weights, i, 1)::"char");
              end loop;
              return words;
            exception when program_limit_exceeded then
              characters := characters / 2;
            end;
          end loop;
        end $$;
CREATE FUNCTION dataset.spaced(t text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ select case when t ~ '[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]' then spaced_runs(t) else t end $$;
CREATE FUNCTION dataset.spaced_runs(t text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
        select string_agg(case when m[1] is null then m[2] else ' ' || paired(m[1]) || ' ' end, '' order by place)
          || ' ' || coalesce((select string_agg(c, ' ') from unnest(string_to_array(regexp_replace(t, '[^\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]', '', 'g'), null)) c), '')
        from regexp_matches(t, '([\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]+)|([^\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]+)', 'g') with ordinality as s(m, place) $$;
CREATE FUNCTION dataset.week_bound(at timestamp with time zone) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
      select (substr(ms, 1, 8) || '-' || substr(ms, 9, 4) || '-0000-0000-000000000000')::uuid
        from (select lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') as ms) moment
    $$;
CREATE FUNCTION dataset.week_time(bound uuid) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
      select to_timestamp(('x0000' || substr(replace(bound::text, '-', ''), 1, 12))::bit(64)::bigint / 1000.0)
    $$;
CREATE FUNCTION dataset.weeks_of(parent regclass) RETURNS TABLE(name text, until_at timestamp with time zone)
    LANGUAGE sql STABLE
    SET search_path TO 'dataset', 'pg_temp'
    AS $$
      select w.name, week_time(w.until::uuid)
        from (select c.relname::text as name, (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([0-9a-f-]{36})''\)'))[1] as until
                from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = parent) w
       where w.until is not null
    $$;
CREATE TABLE dataset.dataset_counts (
    space_id uuid NOT NULL,
    dataset_id uuid NOT NULL,
    slot smallint NOT NULL,
    records bigint NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    largest integer
)
WITH (fillfactor='50');
ALTER TABLE ONLY dataset.dataset_counts FORCE ROW LEVEL SECURITY;
CREATE TABLE dataset.dataset_watches (
    space_id uuid NOT NULL,
    dataset_id uuid NOT NULL,
    watcher_id uuid NOT NULL,
    operations text[] NOT NULL
);
ALTER TABLE ONLY dataset.dataset_watches FORCE ROW LEVEL SECURITY;
CREATE TABLE dataset.datasets (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    description text,
    schema jsonb NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    announced bigint DEFAULT 0 NOT NULL,
    created_by uuid,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    has_pieces boolean DEFAULT false NOT NULL
);
ALTER TABLE ONLY dataset.datasets FORCE ROW LEVEL SECURITY;
CREATE TABLE dataset.dead_letter (
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
CREATE TABLE dataset.hidden_imports (
    space_id uuid NOT NULL,
    dataset_id uuid NOT NULL,
    import_id uuid NOT NULL
);
ALTER TABLE ONLY dataset.hidden_imports FORCE ROW LEVEL SECURITY;
CREATE TABLE dataset.idempotency (
    space_id uuid NOT NULL,
    actor text NOT NULL,
    route text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    answer jsonb,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY dataset.idempotency FORCE ROW LEVEL SECURITY;
CREATE TABLE dataset.import_parts (
    space_id uuid NOT NULL,
    import_id uuid NOT NULL,
    part integer NOT NULL,
    rows jsonb NOT NULL
);
ALTER TABLE ONLY dataset.import_parts FORCE ROW LEVEL SECURITY;
CREATE TABLE dataset.imports (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    dataset_id uuid NOT NULL,
    format text NOT NULL,
    parts integer DEFAULT 0 NOT NULL,
    staged bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    phase text DEFAULT 'STAGING'::text NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    written bigint DEFAULT 0 NOT NULL,
    error jsonb,
    attempts integer DEFAULT 0 NOT NULL,
    worker text,
    due_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    cancel_requested_at timestamp with time zone,
    created_by uuid,
    touched_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    piece integer DEFAULT 0 NOT NULL,
    has_parts boolean DEFAULT false NOT NULL,
    hidden_at timestamp with time zone,
    epoch integer DEFAULT 0 NOT NULL
);
ALTER TABLE ONLY dataset.imports FORCE ROW LEVEL SECURITY;
CREATE TABLE dataset.inbox (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE dataset.inbox_failure (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    attempts integer NOT NULL,
    error text NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE dataset.lost_work (
    kind text NOT NULL,
    id uuid NOT NULL,
    space_id uuid,
    losses integer NOT NULL,
    lost_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    lost_by text,
    given_up_at timestamp with time zone,
    shown_id uuid
);
CREATE TABLE dataset.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);
CREATE SEQUENCE dataset.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE dataset.migrations_id_seq OWNED BY dataset.migrations.id;
CREATE SEQUENCE dataset.outbox_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE dataset.outbox (
    id uuid NOT NULL,
    name text NOT NULL,
    at timestamp with time zone NOT NULL,
    ctx jsonb NOT NULL,
    data jsonb NOT NULL,
    order_key text,
    pending text[] NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    locked_until timestamp with time zone NOT NULL,
    seq bigint DEFAULT nextval('dataset.outbox_seq'::regclass)
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_cost_delay='0');
CREATE TABLE dataset.record_vectors (
    space_id uuid NOT NULL,
    dataset_id uuid NOT NULL,
    record_id uuid NOT NULL,
    field smallint NOT NULL,
    state text DEFAULT 'PENDING'::text NOT NULL,
    revision integer DEFAULT 0 NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    actor uuid,
    vector bytea,
    changed_in xid8 DEFAULT pg_current_xact_id() NOT NULL,
    error jsonb,
    worker text,
    losses smallint DEFAULT 0 NOT NULL,
    lost_at timestamp with time zone,
    CONSTRAINT record_vectors_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'READY'::text, 'FAILED'::text, 'GONE'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
ALTER TABLE ONLY dataset.record_vectors ALTER COLUMN vector SET STORAGE EXTERNAL;
ALTER TABLE ONLY dataset.record_vectors FORCE ROW LEVEL SECURITY;
CREATE TABLE dataset.record_writes (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    dataset_id uuid NOT NULL,
    operation text NOT NULL,
    records integer NOT NULL,
    user_id uuid,
    parent text NOT NULL,
    root uuid NOT NULL,
    correlation_id uuid,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT record_writes_operation_check CHECK ((operation = ANY (ARRAY['insert'::text, 'update'::text, 'delete'::text])))
)
PARTITION BY RANGE (id);
ALTER TABLE ONLY dataset.record_writes FORCE ROW LEVEL SECURITY;
CREATE TABLE dataset.record_writes_p_rest (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    dataset_id uuid NOT NULL,
    operation text NOT NULL,
    records integer NOT NULL,
    user_id uuid,
    parent text NOT NULL,
    root uuid NOT NULL,
    correlation_id uuid,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT record_writes_operation_check CHECK ((operation = ANY (ARRAY['insert'::text, 'update'::text, 'delete'::text])))
);
ALTER TABLE ONLY dataset.record_writes_p_rest FORCE ROW LEVEL SECURITY;
CREATE UNLOGGED TABLE dataset.running_work (
    worker text NOT NULL,
    slot text NOT NULL,
    kind text NOT NULL,
    ids uuid[] NOT NULL,
    is_alone boolean DEFAULT false NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
CREATE TABLE dataset.vector_tables (
    space_id uuid NOT NULL,
    dataset_id uuid NOT NULL,
    field smallint NOT NULL,
    dimensions integer NOT NULL,
    filled boolean DEFAULT false NOT NULL,
    horizon xid8 DEFAULT '0'::xid8 NOT NULL
);
ALTER TABLE ONLY dataset.vector_tables FORCE ROW LEVEL SECURITY;
ALTER TABLE ONLY dataset.record_writes ATTACH PARTITION dataset.record_writes_p_rest DEFAULT;
ALTER TABLE ONLY dataset.migrations ALTER COLUMN id SET DEFAULT nextval('dataset.migrations_id_seq'::regclass);
ALTER TABLE ONLY dataset.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);
ALTER TABLE ONLY dataset.dataset_counts
    ADD CONSTRAINT dataset_counts_pkey PRIMARY KEY (space_id, dataset_id, slot);
ALTER TABLE ONLY dataset.dataset_watches
    ADD CONSTRAINT dataset_watches_pkey PRIMARY KEY (space_id, dataset_id, watcher_id);
ALTER TABLE ONLY dataset.datasets
    ADD CONSTRAINT datasets_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY dataset.dead_letter
    ADD CONSTRAINT dead_letter_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY dataset.hidden_imports
    ADD CONSTRAINT hidden_imports_pkey PRIMARY KEY (space_id, dataset_id, import_id);
ALTER TABLE ONLY dataset.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (space_id, actor, route, key);
ALTER TABLE ONLY dataset.import_parts
    ADD CONSTRAINT import_parts_pkey PRIMARY KEY (space_id, import_id, part);
ALTER TABLE dataset.imports
    ADD CONSTRAINT imports_phases CHECK ((phase = ANY (ARRAY['STAGING'::text, 'QUEUED'::text, 'RUNNING'::text, 'WRITING'::text, 'UNDOING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'CANCELLED'::text]))) NOT VALID;
ALTER TABLE ONLY dataset.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY dataset.inbox_failure
    ADD CONSTRAINT inbox_failure_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY dataset.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY dataset.lost_work
    ADD CONSTRAINT lost_work_pkey PRIMARY KEY (kind, id);
ALTER TABLE ONLY dataset.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY dataset.record_vectors
    ADD CONSTRAINT record_vectors_pkey PRIMARY KEY (space_id, dataset_id, record_id, field);
ALTER TABLE ONLY dataset.record_writes
    ADD CONSTRAINT record_writes_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY dataset.record_writes_p_rest
    ADD CONSTRAINT record_writes_p_rest_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY dataset.running_work
    ADD CONSTRAINT running_work_pkey PRIMARY KEY (worker, slot);
ALTER TABLE ONLY dataset.vector_tables
    ADD CONSTRAINT vector_tables_pkey PRIMARY KEY (space_id, dataset_id, field);
CREATE INDEX dead_letter_age ON dataset.dead_letter USING btree (last_at);
CREATE INDEX idempotency_expires ON dataset.idempotency USING btree (expires_at);
CREATE INDEX imports_age ON dataset.imports USING btree (space_id, created_at);
CREATE INDEX imports_due ON dataset.imports USING btree (due_at) WHERE (phase = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text]));
CREATE INDEX imports_of_dataset ON dataset.imports USING btree (space_id, dataset_id, id);
CREATE INDEX imports_open ON dataset.imports USING btree (space_id) WHERE (phase = ANY (ARRAY['STAGING'::text, 'QUEUED'::text, 'RUNNING'::text, 'WRITING'::text, 'UNDOING'::text]));
CREATE INDEX imports_running ON dataset.imports USING btree (space_id) WHERE (phase = ANY (ARRAY['RUNNING'::text, 'WRITING'::text, 'UNDOING'::text]));
CREATE INDEX imports_staged ON dataset.imports USING btree (touched_at) WHERE (phase = 'STAGING'::text);
CREATE INDEX imports_waiting ON dataset.imports USING btree (due_at) WHERE (phase = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'WRITING'::text, 'UNDOING'::text]));
CREATE INDEX imports_with_parts ON dataset.imports USING btree (space_id, id) WHERE has_parts;
CREATE INDEX inbox_seen ON dataset.inbox USING brin (seen_at);
CREATE INDEX lost_work_age ON dataset.lost_work USING btree (lost_at);
CREATE INDEX lost_work_of_id ON dataset.lost_work USING btree (id);
CREATE INDEX lost_work_shown ON dataset.lost_work USING btree (shown_id) WHERE (shown_id IS NOT NULL);
CREATE INDEX outbox_due ON dataset.outbox USING btree (locked_until);
CREATE INDEX outbox_due_turns ON dataset.outbox USING btree (COALESCE((ctx ->> 'spaceId'::text), ''::text), locked_until) WHERE (epoch >= 0);
CREATE INDEX outbox_queued ON dataset.outbox USING btree (seq) WHERE (epoch < 0);
CREATE INDEX outbox_queued_keys ON dataset.outbox USING btree (order_key, locked_until) WHERE (epoch < 0);
CREATE INDEX outbox_queued_turns ON dataset.outbox USING btree (COALESCE((ctx ->> 'spaceId'::text), ''::text), order_key, seq) WHERE (epoch < 0);
CREATE INDEX record_vectors_changed ON dataset.record_vectors USING btree (space_id, dataset_id, changed_in) WHERE (state = ANY (ARRAY['READY'::text, 'GONE'::text]));
CREATE INDEX record_vectors_claimed ON dataset.record_vectors USING btree (worker) WHERE (worker IS NOT NULL);
CREATE INDEX record_vectors_due ON dataset.record_vectors USING btree (space_id, dataset_id, due_at) WHERE (state = 'PENDING'::text);
CREATE INDEX record_vectors_failing ON dataset.record_vectors USING btree (space_id, dataset_id, record_id, field) WHERE ((state = 'FAILED'::text) OR ((state = 'PENDING'::text) AND (attempts >= 3)));
CREATE INDEX record_vectors_oldest ON dataset.record_vectors USING btree (due_at) WHERE (state = 'PENDING'::text);
CREATE INDEX record_vectors_suspect ON dataset.record_vectors USING btree (due_at) WHERE ((losses > 0) AND (state = 'PENDING'::text));
CREATE INDEX record_vectors_turn ON dataset.record_vectors USING btree (space_id, due_at) WHERE (state = 'PENDING'::text);
CREATE INDEX record_writes_age ON ONLY dataset.record_writes USING brin (created_at) WITH (autosummarize='on');
CREATE INDEX record_writes_chain ON ONLY dataset.record_writes USING btree (space_id, correlation_id) WHERE (correlation_id IS NOT NULL);
CREATE INDEX record_writes_root ON ONLY dataset.record_writes USING btree (space_id, root);
CREATE INDEX record_writes_p_rest_created_at_idx ON dataset.record_writes_p_rest USING brin (created_at) WITH (autosummarize='on');
CREATE INDEX record_writes_p_rest_space_id_correlation_id_idx ON dataset.record_writes_p_rest USING btree (space_id, correlation_id) WHERE (correlation_id IS NOT NULL);
CREATE INDEX record_writes_p_rest_space_id_root_idx ON dataset.record_writes_p_rest USING btree (space_id, root);
ALTER INDEX dataset.record_writes_age ATTACH PARTITION dataset.record_writes_p_rest_created_at_idx;
ALTER INDEX dataset.record_writes_pkey ATTACH PARTITION dataset.record_writes_p_rest_pkey;
ALTER INDEX dataset.record_writes_chain ATTACH PARTITION dataset.record_writes_p_rest_space_id_correlation_id_idx;
ALTER INDEX dataset.record_writes_root ATTACH PARTITION dataset.record_writes_p_rest_space_id_root_idx;
CREATE TRIGGER goes_as_a_whole BEFORE DELETE OR TRUNCATE ON dataset.record_writes FOR EACH STATEMENT EXECUTE FUNCTION dataset.refuse_delete_of_weeks();
ALTER TABLE ONLY dataset.dataset_counts
    ADD CONSTRAINT dataset_counts_space_id_dataset_id_fkey FOREIGN KEY (space_id, dataset_id) REFERENCES dataset.datasets(space_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY dataset.dataset_watches
    ADD CONSTRAINT dataset_watches_space_id_dataset_id_fkey FOREIGN KEY (space_id, dataset_id) REFERENCES dataset.datasets(space_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY dataset.hidden_imports
    ADD CONSTRAINT hidden_imports_space_id_dataset_id_fkey FOREIGN KEY (space_id, dataset_id) REFERENCES dataset.datasets(space_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY dataset.import_parts
    ADD CONSTRAINT import_parts_space_id_import_id_fkey FOREIGN KEY (space_id, import_id) REFERENCES dataset.imports(space_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY dataset.record_vectors
    ADD CONSTRAINT record_vectors_space_id_dataset_id_fkey FOREIGN KEY (space_id, dataset_id) REFERENCES dataset.datasets(space_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY dataset.vector_tables
    ADD CONSTRAINT vector_tables_space_id_dataset_id_fkey FOREIGN KEY (space_id, dataset_id) REFERENCES dataset.datasets(space_id, id) ON DELETE CASCADE;
ALTER TABLE dataset.dataset_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE dataset.dataset_watches ENABLE ROW LEVEL SECURITY;
ALTER TABLE dataset.datasets ENABLE ROW LEVEL SECURITY;
ALTER TABLE dataset.hidden_imports ENABLE ROW LEVEL SECURITY;
ALTER TABLE dataset.idempotency ENABLE ROW LEVEL SECURITY;
ALTER TABLE dataset.import_parts ENABLE ROW LEVEL SECURITY;
ALTER TABLE dataset.imports ENABLE ROW LEVEL SECURITY;
ALTER TABLE dataset.record_vectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE dataset.record_writes ENABLE ROW LEVEL SECURITY;
ALTER TABLE dataset.record_writes_p_rest ENABLE ROW LEVEL SECURITY;
CREATE POLICY system ON dataset.dataset_counts TO $DATABASE_dataset_system USING (true) WITH CHECK (true);
CREATE POLICY system ON dataset.dataset_watches TO $DATABASE_dataset_system USING (true) WITH CHECK (true);
CREATE POLICY system ON dataset.datasets TO $DATABASE_dataset_system USING (true) WITH CHECK (true);
CREATE POLICY system ON dataset.hidden_imports TO $DATABASE_dataset_system USING (true) WITH CHECK (true);
CREATE POLICY system ON dataset.idempotency TO $DATABASE_dataset_system USING (true) WITH CHECK (true);
CREATE POLICY system ON dataset.import_parts TO $DATABASE_dataset_system USING (true) WITH CHECK (true);
CREATE POLICY system ON dataset.imports TO $DATABASE_dataset_system USING (true) WITH CHECK (true);
CREATE POLICY system ON dataset.record_vectors TO $DATABASE_dataset_system USING (true) WITH CHECK (true);
CREATE POLICY system ON dataset.record_writes TO $DATABASE_dataset_system USING (true) WITH CHECK (true);
CREATE POLICY system ON dataset.record_writes_p_rest TO $DATABASE_dataset_system USING (true) WITH CHECK (true);
CREATE POLICY system ON dataset.vector_tables TO $DATABASE_dataset_system USING (true) WITH CHECK (true);
CREATE POLICY tenant ON dataset.dataset_counts TO $DATABASE_dataset USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON dataset.dataset_watches TO $DATABASE_dataset USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON dataset.datasets TO $DATABASE_dataset USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON dataset.hidden_imports TO $DATABASE_dataset USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON dataset.idempotency TO $DATABASE_dataset USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON dataset.import_parts TO $DATABASE_dataset USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON dataset.imports TO $DATABASE_dataset USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON dataset.record_vectors TO $DATABASE_dataset USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON dataset.record_writes TO $DATABASE_dataset USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON dataset.record_writes_p_rest TO $DATABASE_dataset USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON dataset.vector_tables TO $DATABASE_dataset USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
ALTER TABLE dataset.vector_tables ENABLE ROW LEVEL SECURITY;
GRANT USAGE ON SCHEMA dataset TO $DATABASE_dataset;
GRANT USAGE ON SCHEMA dataset TO $DATABASE_dataset_system;
REVOKE ALL ON FUNCTION dataset.add_record_columns(dataset uuid, fields jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION dataset.add_record_columns(dataset uuid, fields jsonb) TO $DATABASE_dataset;
REVOKE ALL ON FUNCTION dataset.add_record_writes_week(begin_at timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION dataset.drop_record_table(dataset uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION dataset.drop_record_table(dataset uuid) TO $DATABASE_dataset;
REVOKE ALL ON FUNCTION dataset.drop_record_writes_week(week text, days integer) FROM PUBLIC;
GRANT ALL ON FUNCTION dataset.drop_record_writes_week(week text, days integer) TO $DATABASE_dataset_system;
REVOKE ALL ON FUNCTION dataset.enable_pgvector(OUT home text, OUT version text, OUT problem text) FROM PUBLIC;
GRANT ALL ON FUNCTION dataset.enable_pgvector(OUT home text, OUT version text, OUT problem text) TO $DATABASE_dataset;
GRANT ALL ON FUNCTION dataset.enable_pgvector(OUT home text, OUT version text, OUT problem text) TO $DATABASE_dataset_system;
REVOKE ALL ON FUNCTION dataset.make_record_table(dataset uuid, fields jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION dataset.make_record_table(dataset uuid, fields jsonb) TO $DATABASE_dataset;
REVOKE ALL ON FUNCTION dataset.make_record_writes_week(ahead integer) FROM PUBLIC;
GRANT ALL ON FUNCTION dataset.make_record_writes_week(ahead integer) TO $DATABASE_dataset_system;
REVOKE ALL ON FUNCTION dataset.make_vector_table(dataset uuid, field smallint, dimensions integer) FROM PUBLIC;
GRANT ALL ON FUNCTION dataset.make_vector_table(dataset uuid, field smallint, dimensions integer) TO $DATABASE_dataset;
GRANT ALL ON FUNCTION dataset.make_vector_table(dataset uuid, field smallint, dimensions integer) TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.dataset_counts TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.dataset_counts TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.dataset_watches TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.dataset_watches TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.datasets TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.datasets TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.dead_letter TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.dead_letter TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.hidden_imports TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.hidden_imports TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.idempotency TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.idempotency TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.import_parts TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.import_parts TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.imports TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.imports TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.inbox TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.inbox TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.inbox_failure TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.inbox_failure TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.lost_work TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.lost_work TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.migrations TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.migrations TO $DATABASE_dataset;
GRANT SELECT,USAGE ON SEQUENCE dataset.migrations_id_seq TO $DATABASE_dataset_system;
GRANT SELECT,USAGE ON SEQUENCE dataset.migrations_id_seq TO $DATABASE_dataset;
GRANT SELECT,USAGE ON SEQUENCE dataset.outbox_seq TO $DATABASE_dataset_system;
GRANT SELECT,USAGE ON SEQUENCE dataset.outbox_seq TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.outbox TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.outbox TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.record_vectors TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.record_vectors TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.record_writes TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.record_writes TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.record_writes_p_rest TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.record_writes_p_rest TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.running_work TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.running_work TO $DATABASE_dataset;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.vector_tables TO $DATABASE_dataset_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE dataset.vector_tables TO $DATABASE_dataset;
ALTER DEFAULT PRIVILEGES IN SCHEMA dataset GRANT SELECT,USAGE ON SEQUENCES  TO $DATABASE_dataset_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA dataset GRANT SELECT,USAGE ON SEQUENCES  TO $DATABASE_dataset;
ALTER DEFAULT PRIVILEGES IN SCHEMA dataset GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO $DATABASE_dataset_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA dataset GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO $DATABASE_dataset;
INSERT INTO dataset.migrations ("timestamp", name) VALUES
(1700000000000, 'MessagingTables1700000000000'),
  (1700000000001, 'Datasets1700000000001'),
  (1700000000002, 'RecordVectors1700000000002'),
  (1700000000003, 'RecordTables1700000000003'),
  (1700000000004, 'SpacedText1700000000004'),
  (1700000000005, 'VectorTables1700000000005'),
  (1700000000006, 'ImportJobs1700000000006'),
  (1700000000007, 'TurnsOfSpaces1700000000007'),
  (1700000000008, 'NoteRecordWrites1700000000008'),
  (1700000000009, 'ImportInPieces1700000000009'),
  (1700000000010, 'HiddenSince1700000000010'),
  (1700000000011, 'EmbeddingErrors1700000000011'),
  (1700000000012, 'KeepRecordWritesByWeek1700000000012'),
  (1700000000013, 'RowWords1700000000013'),
  (1700000000014, 'BytesOfRecords1700000000014'),
  (1700000000015, 'LargestRecord1700000000015'),
  (1700000000016, 'OpenImports1700000000016'),
  (1700000000017, 'EmbeddingLosses1700000000017'),
  (1700000000018, 'SuspectTexts1700000000018'),
  (1700000000019, 'ImportEpochs1700000000019'),
  (1700000000500, 'FindSpentAnswers1700000000500'),
  (1700000000501, 'QueueEvents1700000000501'),
  (1700000000502, 'QueueEventsBySpace1700000000502'),
  (1700000000503, 'IndexDueEventsBySpace1700000000503'),
  (1700000000504, 'FindOldDeadLetters1700000000504'),
  (1700000000505, 'CountLostWork1700000000505'),
  (1700000000506, 'ShowLostWork1700000000506');
