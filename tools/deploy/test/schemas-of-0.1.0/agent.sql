CREATE SCHEMA agent;
CREATE FUNCTION agent.bytes_over(value jsonb, max integer) RETURNS integer
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
CREATE FUNCTION agent.keep_oversized_of_agent_versions() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      new.oversized := agent.oversized_of_agent_versions(new.body);
      
      return new;
    end $$;
CREATE FUNCTION agent.keep_oversized_of_agents() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      new.oversized := agent.oversized_of_agents(new.body);
      
      return new;
    end $$;
CREATE FUNCTION agent.oversized_of_agent_versions(body jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
      select jsonb_agg(jsonb_build_object('path', path, 'bytes', bytes, 'limit', max) order by bytes::float / max desc)
        from (values ('promptVariables', agent.bytes_over(body -> 'promptVariables', 65536), 65536), ('mcpServers', agent.bytes_over(body -> 'mcpServers', 262144), 262144), ('localTools', agent.bytes_over(body -> 'localTools', 262144), 262144), ('approvals', agent.bytes_over(body -> 'approvals', 262144), 262144), ('responseSchema', agent.bytes_over(body -> 'responseSchema', 65536), 65536), ('metadata', agent.bytes_over(body -> 'metadata', 16384), 16384)) as field (path, bytes, max) where bytes is not null
    $$;
CREATE FUNCTION agent.oversized_of_agents(body jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
      select jsonb_agg(jsonb_build_object('path', path, 'bytes', bytes, 'limit', max) order by bytes::float / max desc)
        from (values ('promptVariables', agent.bytes_over(body -> 'promptVariables', 65536), 65536), ('mcpServers', agent.bytes_over(body -> 'mcpServers', 262144), 262144), ('localTools', agent.bytes_over(body -> 'localTools', 262144), 262144), ('approvals', agent.bytes_over(body -> 'approvals', 262144), 262144), ('responseSchema', agent.bytes_over(body -> 'responseSchema', 65536), 65536), ('metadata', agent.bytes_over(body -> 'metadata', 16384), 16384)) as field (path, bytes, max) where bytes is not null
    $$;
CREATE TABLE agent.agent_versions (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    agent_id uuid NOT NULL,
    version integer NOT NULL,
    body jsonb NOT NULL,
    secrets jsonb DEFAULT '{}'::jsonb NOT NULL,
    changed_by uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    removed_at timestamp with time zone,
    oversized jsonb
);
ALTER TABLE ONLY agent.agent_versions FORCE ROW LEVEL SECURITY;
CREATE TABLE agent.agents (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    agent_type text NOT NULL,
    access_scope text NOT NULL,
    allowed_user_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    body jsonb NOT NULL,
    secrets jsonb DEFAULT '{}'::jsonb NOT NULL,
    version integer NOT NULL,
    created_by uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    oversized jsonb
);
ALTER TABLE ONLY agent.agents FORCE ROW LEVEL SECURITY;
CREATE TABLE agent.dead_letter (
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
CREATE TABLE agent.idempotency (
    space_id uuid NOT NULL,
    actor text NOT NULL,
    route text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    answer jsonb,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY agent.idempotency FORCE ROW LEVEL SECURITY;
CREATE TABLE agent.inbox (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE agent.inbox_failure (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    attempts integer NOT NULL,
    error text NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE agent.kept_frames (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    bytes bigint NOT NULL,
    is_running boolean NOT NULL,
    written_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY agent.kept_frames FORCE ROW LEVEL SECURITY;
CREATE TABLE agent.lost_work (
    kind text NOT NULL,
    id uuid NOT NULL,
    space_id uuid,
    losses integer NOT NULL,
    lost_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    lost_by text,
    given_up_at timestamp with time zone,
    shown_id uuid
);
CREATE TABLE agent.mcp_approvals (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    agent_id uuid NOT NULL,
    server text NOT NULL,
    url text NOT NULL,
    tools jsonb NOT NULL,
    approved_by uuid,
    approved_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY agent.mcp_approvals FORCE ROW LEVEL SECURITY;
CREATE TABLE agent.memories (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    agent_id uuid NOT NULL,
    user_id uuid NOT NULL,
    text text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    turn_id uuid,
    updated_at timestamp with time zone
);
ALTER TABLE ONLY agent.memories FORCE ROW LEVEL SECURITY;
CREATE TABLE agent.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);
CREATE SEQUENCE agent.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE agent.migrations_id_seq OWNED BY agent.migrations.id;
CREATE SEQUENCE agent.outbox_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE agent.outbox (
    id uuid NOT NULL,
    name text NOT NULL,
    at timestamp with time zone NOT NULL,
    ctx jsonb NOT NULL,
    data jsonb NOT NULL,
    order_key text,
    pending text[] NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    locked_until timestamp with time zone NOT NULL,
    seq bigint DEFAULT nextval('agent.outbox_seq'::regclass)
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_cost_delay='0');
CREATE UNLOGGED TABLE agent.running_work (
    worker text NOT NULL,
    slot text NOT NULL,
    kind text NOT NULL,
    ids uuid[] NOT NULL,
    is_alone boolean DEFAULT false NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY agent.migrations ALTER COLUMN id SET DEFAULT nextval('agent.migrations_id_seq'::regclass);
ALTER TABLE ONLY agent.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);
ALTER TABLE ONLY agent.agent_versions
    ADD CONSTRAINT agent_versions_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY agent.agent_versions
    ADD CONSTRAINT agent_versions_space_id_agent_id_version_key UNIQUE (space_id, agent_id, version);
ALTER TABLE ONLY agent.agents
    ADD CONSTRAINT agents_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY agent.dead_letter
    ADD CONSTRAINT dead_letter_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY agent.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (space_id, actor, route, key);
ALTER TABLE ONLY agent.inbox_failure
    ADD CONSTRAINT inbox_failure_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY agent.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY agent.kept_frames
    ADD CONSTRAINT kept_frames_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY agent.lost_work
    ADD CONSTRAINT lost_work_pkey PRIMARY KEY (kind, id);
ALTER TABLE ONLY agent.mcp_approvals
    ADD CONSTRAINT mcp_approvals_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY agent.mcp_approvals
    ADD CONSTRAINT mcp_approvals_space_id_agent_id_server_key UNIQUE (space_id, agent_id, server);
ALTER TABLE ONLY agent.memories
    ADD CONSTRAINT memories_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY agent.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY agent.running_work
    ADD CONSTRAINT running_work_pkey PRIMARY KEY (worker, slot);
CREATE INDEX agent_versions_removed ON agent.agent_versions USING btree (removed_at) WHERE (removed_at IS NOT NULL);
CREATE INDEX agents_newest ON agent.agents USING btree (space_id, id DESC);
CREATE INDEX agents_of_a_secret ON agent.agents USING gin (((body -> 'mcpServers'::text)) jsonb_path_ops);
CREATE INDEX agents_prompts ON agent.agents USING btree (space_id, id DESC) WHERE (((body -> 'promptVariables'::text) <> '[]'::jsonb) OR (strpos((body ->> 'systemPrompt'::text), '{{'::text) > 0));
CREATE INDEX dead_letter_age ON agent.dead_letter USING btree (last_at);
CREATE INDEX idempotency_expires ON agent.idempotency USING btree (expires_at);
CREATE INDEX inbox_seen ON agent.inbox USING brin (seen_at);
CREATE INDEX kept_frames_age ON agent.kept_frames USING btree (written_at);
CREATE INDEX kept_frames_oldest ON agent.kept_frames USING btree (space_id, is_running, written_at) INCLUDE (bytes);
CREATE INDEX lost_work_age ON agent.lost_work USING btree (lost_at);
CREATE INDEX lost_work_of_id ON agent.lost_work USING btree (id);
CREATE INDEX lost_work_shown ON agent.lost_work USING btree (shown_id) WHERE (shown_id IS NOT NULL);
CREATE INDEX memories_newest ON agent.memories USING btree (space_id, agent_id, id DESC);
CREATE INDEX memories_of_user ON agent.memories USING btree (space_id, agent_id, user_id, id DESC);
CREATE INDEX outbox_due ON agent.outbox USING btree (locked_until);
CREATE INDEX outbox_due_turns ON agent.outbox USING btree (COALESCE((ctx ->> 'spaceId'::text), ''::text), locked_until) WHERE (epoch >= 0);
CREATE INDEX outbox_queued ON agent.outbox USING btree (seq) WHERE (epoch < 0);
CREATE INDEX outbox_queued_keys ON agent.outbox USING btree (order_key, locked_until) WHERE (epoch < 0);
CREATE INDEX outbox_queued_turns ON agent.outbox USING btree (COALESCE((ctx ->> 'spaceId'::text), ''::text), order_key, seq) WHERE (epoch < 0);
CREATE TRIGGER keep_oversized BEFORE INSERT OR UPDATE OF body ON agent.agent_versions FOR EACH ROW EXECUTE FUNCTION agent.keep_oversized_of_agent_versions();
CREATE TRIGGER keep_oversized BEFORE INSERT OR UPDATE OF body ON agent.agents FOR EACH ROW EXECUTE FUNCTION agent.keep_oversized_of_agents();
ALTER TABLE agent.agent_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE agent.agents ENABLE ROW LEVEL SECURITY;
ALTER TABLE agent.idempotency ENABLE ROW LEVEL SECURITY;
ALTER TABLE agent.kept_frames ENABLE ROW LEVEL SECURITY;
ALTER TABLE agent.mcp_approvals ENABLE ROW LEVEL SECURITY;
ALTER TABLE agent.memories ENABLE ROW LEVEL SECURITY;
CREATE POLICY system ON agent.agent_versions TO $DATABASE_agent_system USING (true) WITH CHECK (true);
CREATE POLICY system ON agent.agents TO $DATABASE_agent_system USING (true) WITH CHECK (true);
CREATE POLICY system ON agent.idempotency TO $DATABASE_agent_system USING (true) WITH CHECK (true);
CREATE POLICY system ON agent.kept_frames TO $DATABASE_agent_system USING (true) WITH CHECK (true);
CREATE POLICY system ON agent.mcp_approvals TO $DATABASE_agent_system USING (true) WITH CHECK (true);
CREATE POLICY system ON agent.memories TO $DATABASE_agent_system USING (true) WITH CHECK (true);
CREATE POLICY tenant ON agent.agent_versions TO $DATABASE_agent USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON agent.agents TO $DATABASE_agent USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON agent.idempotency TO $DATABASE_agent USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON agent.kept_frames TO $DATABASE_agent USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON agent.mcp_approvals TO $DATABASE_agent USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON agent.memories TO $DATABASE_agent USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
GRANT USAGE ON SCHEMA agent TO $DATABASE_agent;
GRANT USAGE ON SCHEMA agent TO $DATABASE_agent_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.agent_versions TO $DATABASE_agent_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.agent_versions TO $DATABASE_agent;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.agents TO $DATABASE_agent_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.agents TO $DATABASE_agent;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.dead_letter TO $DATABASE_agent_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.dead_letter TO $DATABASE_agent;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.idempotency TO $DATABASE_agent_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.idempotency TO $DATABASE_agent;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.inbox TO $DATABASE_agent_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.inbox TO $DATABASE_agent;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.inbox_failure TO $DATABASE_agent_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.inbox_failure TO $DATABASE_agent;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.kept_frames TO $DATABASE_agent_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.kept_frames TO $DATABASE_agent;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.lost_work TO $DATABASE_agent_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.lost_work TO $DATABASE_agent;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.mcp_approvals TO $DATABASE_agent_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.mcp_approvals TO $DATABASE_agent;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.memories TO $DATABASE_agent_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.memories TO $DATABASE_agent;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.migrations TO $DATABASE_agent_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.migrations TO $DATABASE_agent;
GRANT SELECT,USAGE ON SEQUENCE agent.migrations_id_seq TO $DATABASE_agent_system;
GRANT SELECT,USAGE ON SEQUENCE agent.migrations_id_seq TO $DATABASE_agent;
GRANT SELECT,USAGE ON SEQUENCE agent.outbox_seq TO $DATABASE_agent_system;
GRANT SELECT,USAGE ON SEQUENCE agent.outbox_seq TO $DATABASE_agent;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.outbox TO $DATABASE_agent_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.outbox TO $DATABASE_agent;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.running_work TO $DATABASE_agent_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE agent.running_work TO $DATABASE_agent;
ALTER DEFAULT PRIVILEGES IN SCHEMA agent GRANT SELECT,USAGE ON SEQUENCES  TO $DATABASE_agent_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA agent GRANT SELECT,USAGE ON SEQUENCES  TO $DATABASE_agent;
ALTER DEFAULT PRIVILEGES IN SCHEMA agent GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO $DATABASE_agent_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA agent GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO $DATABASE_agent;
INSERT INTO agent.migrations ("timestamp", name) VALUES
(1700000000000, 'MessagingTables1700000000000'),
  (1700000000001, 'CreateAgents1700000000001'),
  (1700000000002, 'CreateMcpApprovals1700000000002'),
  (1700000000003, 'IndexAgentsOfASecret1700000000003'),
  (1700000000004, 'CorrectableMemories1700000000004'),
  (1700000000005, 'CountKeptFrames1700000000005'),
  (1700000000006, 'LetVersionsGo1700000000006'),
  (1700000000007, 'MarkOversizedAgents1700000000007'),
  (1700000000008, 'FindPrompts1700000000008'),
  (1700000000009, 'MarkOversizedVersions1700000000009'),
  (1700000000500, 'FindSpentAnswers1700000000500'),
  (1700000000501, 'QueueEvents1700000000501'),
  (1700000000502, 'QueueEventsBySpace1700000000502'),
  (1700000000503, 'IndexDueEventsBySpace1700000000503'),
  (1700000000504, 'FindOldDeadLetters1700000000504'),
  (1700000000505, 'CountLostWork1700000000505'),
  (1700000000506, 'ShowLostWork1700000000506');
