CREATE SCHEMA relay;
CREATE FUNCTION relay.count_for_maker() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin
           update "relay".key_accounts m set
             reserved = greatest(0, m.reserved + new.reserved - old.reserved),
             daily_used = case when m.day = new.day then m.daily_used else 0 end
               + new.daily_used - case when old.day = new.day then old.daily_used else 0 end,
             day = new.day,
             monthly_used = case when m.month = new.month then m.monthly_used else 0 end
               + new.monthly_used - case when old.month = new.month then old.monthly_used else 0 end,
             month = new.month
           where m.space_id = new.space_id and m.key_id = new.made_by_key;
           return null;
         end $$;
CREATE TABLE relay.accounts (
    space_id uuid NOT NULL,
    balance bigint DEFAULT 0 NOT NULL,
    reserved bigint DEFAULT 0 NOT NULL,
    daily_used bigint DEFAULT 0 NOT NULL,
    day date DEFAULT ((clock_timestamp() AT TIME ZONE 'utc'::text))::date NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    month date,
    monthly_used bigint DEFAULT 0 NOT NULL,
    monthly_calls bigint DEFAULT 0 NOT NULL,
    monthly_cost numeric DEFAULT 0 NOT NULL,
    CONSTRAINT accounts_reserved_check CHECK ((reserved >= 0))
)
WITH (fillfactor='50');
ALTER TABLE ONLY relay.accounts FORCE ROW LEVEL SECURITY;
CREATE TABLE relay.dead_letter (
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
CREATE TABLE relay.holders (
    id uuid NOT NULL,
    beat_at timestamp with time zone NOT NULL
);
CREATE TABLE relay.idempotency (
    space_id uuid NOT NULL,
    actor text NOT NULL,
    route text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    answer jsonb,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY relay.idempotency FORCE ROW LEVEL SECURITY;
CREATE TABLE relay.inbox (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE relay.inbox_failure (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    attempts integer NOT NULL,
    error text NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE relay.key_accounts (
    space_id uuid NOT NULL,
    key_id text NOT NULL,
    reserved bigint DEFAULT 0 NOT NULL,
    daily_used bigint DEFAULT 0 NOT NULL,
    day date NOT NULL,
    monthly_used bigint DEFAULT 0 NOT NULL,
    month date NOT NULL,
    made_by_key text,
    CONSTRAINT key_accounts_reserved_check CHECK ((reserved >= 0))
)
WITH (fillfactor='50');
ALTER TABLE ONLY relay.key_accounts FORCE ROW LEVEL SECURITY;
CREATE TABLE relay.leases (
    space_id uuid NOT NULL,
    holder uuid NOT NULL,
    key_id text NOT NULL,
    tokens bigint NOT NULL,
    written_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    ahead bigint DEFAULT 0 NOT NULL,
    CONSTRAINT leases_ahead_check CHECK ((ahead >= 0)),
    CONSTRAINT leases_tokens_check CHECK ((tokens >= 0))
)
WITH (fillfactor='50');
ALTER TABLE ONLY relay.leases FORCE ROW LEVEL SECURITY;
CREATE TABLE relay.ledger (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    seq bigint NOT NULL,
    type text NOT NULL,
    tokens bigint NOT NULL,
    balance_after bigint NOT NULL,
    note text,
    source text,
    agent_id uuid,
    session_id uuid,
    turn_id uuid,
    task_id uuid,
    job_id uuid,
    user_id uuid,
    key_id text,
    model text,
    upstream text,
    prompt_tokens bigint,
    completion_tokens bigint,
    cost numeric,
    estimated boolean,
    outcome text,
    request_key text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT ledger_type_check CHECK ((type = ANY (ARRAY['CREDIT'::text, 'SETTLEMENT'::text, 'CORRECTION'::text])))
);
ALTER TABLE ONLY relay.ledger FORCE ROW LEVEL SECURITY;
ALTER TABLE relay.ledger ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME relay.ledger_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE relay.lost_work (
    kind text NOT NULL,
    id uuid NOT NULL,
    space_id uuid,
    losses integer NOT NULL,
    lost_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    lost_by text,
    given_up_at timestamp with time zone,
    shown_id uuid
);
CREATE TABLE relay.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);
CREATE SEQUENCE relay.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE relay.migrations_id_seq OWNED BY relay.migrations.id;
CREATE SEQUENCE relay.outbox_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE relay.outbox (
    id uuid NOT NULL,
    name text NOT NULL,
    at timestamp with time zone NOT NULL,
    ctx jsonb NOT NULL,
    data jsonb NOT NULL,
    order_key text,
    pending text[] NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    locked_until timestamp with time zone NOT NULL,
    seq bigint DEFAULT nextval('relay.outbox_seq'::regclass)
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_cost_delay='0');
CREATE TABLE relay.reservations (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    holder uuid NOT NULL,
    tokens bigint NOT NULL,
    facts jsonb NOT NULL,
    seen_tokens bigint,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    key_id text,
    CONSTRAINT reservations_tokens_check CHECK ((tokens >= 0))
);
ALTER TABLE ONLY relay.reservations FORCE ROW LEVEL SECURITY;
CREATE UNLOGGED TABLE relay.running_work (
    worker text NOT NULL,
    slot text NOT NULL,
    kind text NOT NULL,
    ids uuid[] NOT NULL,
    is_alone boolean DEFAULT false NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
CREATE TABLE relay.usage_summed (
    space_id uuid NOT NULL,
    until bigint NOT NULL
);
ALTER TABLE ONLY relay.usage_summed FORCE ROW LEVEL SECURITY;
CREATE TABLE relay.usage_sums (
    space_id uuid NOT NULL,
    dimension text NOT NULL,
    grain text NOT NULL,
    start timestamp with time zone NOT NULL,
    value text,
    calls bigint NOT NULL,
    prompt_tokens bigint NOT NULL,
    completion_tokens bigint NOT NULL,
    tokens bigint NOT NULL,
    cost numeric NOT NULL,
    CONSTRAINT usage_sums_grain_check CHECK ((grain = ANY (ARRAY['day'::text, 'hour'::text])))
);
ALTER TABLE ONLY relay.usage_sums FORCE ROW LEVEL SECURITY;
ALTER TABLE ONLY relay.migrations ALTER COLUMN id SET DEFAULT nextval('relay.migrations_id_seq'::regclass);
ALTER TABLE ONLY relay.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);
ALTER TABLE ONLY relay.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (space_id);
ALTER TABLE ONLY relay.dead_letter
    ADD CONSTRAINT dead_letter_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY relay.holders
    ADD CONSTRAINT holders_pkey PRIMARY KEY (id);
ALTER TABLE ONLY relay.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (space_id, actor, route, key);
ALTER TABLE ONLY relay.inbox_failure
    ADD CONSTRAINT inbox_failure_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY relay.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY relay.key_accounts
    ADD CONSTRAINT key_accounts_pkey PRIMARY KEY (space_id, key_id);
ALTER TABLE ONLY relay.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (space_id, holder, key_id);
ALTER TABLE ONLY relay.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY relay.lost_work
    ADD CONSTRAINT lost_work_pkey PRIMARY KEY (kind, id);
ALTER TABLE ONLY relay.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY relay.reservations
    ADD CONSTRAINT reservations_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY relay.running_work
    ADD CONSTRAINT running_work_pkey PRIMARY KEY (worker, slot);
ALTER TABLE ONLY relay.usage_summed
    ADD CONSTRAINT usage_summed_pkey PRIMARY KEY (space_id);
ALTER TABLE ONLY relay.usage_sums
    ADD CONSTRAINT usage_sums_space_id_dimension_grain_start_value_key UNIQUE NULLS NOT DISTINCT (space_id, dimension, grain, start, value);
CREATE INDEX dead_letter_age ON relay.dead_letter USING btree (last_at);
CREATE INDEX idempotency_expires ON relay.idempotency USING btree (expires_at);
CREATE INDEX inbox_seen ON relay.inbox USING brin (seen_at);
CREATE INDEX ledger_of_key ON relay.ledger USING btree (space_id, key_id, created_at) WHERE (key_id IS NOT NULL);
CREATE INDEX ledger_order ON relay.ledger USING btree (space_id, seq);
CREATE UNIQUE INDEX ledger_request ON relay.ledger USING btree (space_id, request_key) WHERE (request_key IS NOT NULL);
CREATE INDEX ledger_time ON relay.ledger USING btree (space_id, created_at);
CREATE INDEX ledger_turn ON relay.ledger USING btree (space_id, turn_id) WHERE (turn_id IS NOT NULL);
CREATE INDEX lost_work_age ON relay.lost_work USING btree (lost_at);
CREATE INDEX lost_work_of_id ON relay.lost_work USING btree (id);
CREATE INDEX lost_work_shown ON relay.lost_work USING btree (shown_id) WHERE (shown_id IS NOT NULL);
CREATE INDEX outbox_due ON relay.outbox USING btree (locked_until);
CREATE INDEX outbox_due_turns ON relay.outbox USING btree (COALESCE((ctx ->> 'spaceId'::text), ''::text), locked_until) WHERE (epoch >= 0);
CREATE INDEX outbox_queued ON relay.outbox USING btree (seq) WHERE (epoch < 0);
CREATE INDEX outbox_queued_keys ON relay.outbox USING btree (order_key, locked_until) WHERE (epoch < 0);
CREATE INDEX outbox_queued_turns ON relay.outbox USING btree (COALESCE((ctx ->> 'spaceId'::text), ''::text), order_key, seq) WHERE (epoch < 0);
CREATE INDEX reservations_holder ON relay.reservations USING btree (holder);
CREATE TRIGGER count_for_maker AFTER UPDATE ON relay.key_accounts FOR EACH ROW WHEN ((new.made_by_key IS NOT NULL)) EXECUTE FUNCTION relay.count_for_maker();
ALTER TABLE relay.accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE relay.idempotency ENABLE ROW LEVEL SECURITY;
ALTER TABLE relay.key_accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE relay.leases ENABLE ROW LEVEL SECURITY;
ALTER TABLE relay.ledger ENABLE ROW LEVEL SECURITY;
ALTER TABLE relay.reservations ENABLE ROW LEVEL SECURITY;
CREATE POLICY system ON relay.accounts TO $DATABASE_relay_system USING (true) WITH CHECK (true);
CREATE POLICY system ON relay.idempotency TO $DATABASE_relay_system USING (true) WITH CHECK (true);
CREATE POLICY system ON relay.key_accounts TO $DATABASE_relay_system USING (true) WITH CHECK (true);
CREATE POLICY system ON relay.leases TO $DATABASE_relay_system USING (true) WITH CHECK (true);
CREATE POLICY system ON relay.ledger TO $DATABASE_relay_system USING (true) WITH CHECK (true);
CREATE POLICY system ON relay.reservations TO $DATABASE_relay_system USING (true) WITH CHECK (true);
CREATE POLICY system ON relay.usage_summed TO $DATABASE_relay_system USING (true) WITH CHECK (true);
CREATE POLICY system ON relay.usage_sums TO $DATABASE_relay_system USING (true) WITH CHECK (true);
CREATE POLICY tenant ON relay.accounts TO $DATABASE_relay USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON relay.idempotency TO $DATABASE_relay USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON relay.key_accounts TO $DATABASE_relay USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON relay.leases TO $DATABASE_relay USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON relay.ledger TO $DATABASE_relay USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON relay.reservations TO $DATABASE_relay USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON relay.usage_summed TO $DATABASE_relay USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON relay.usage_sums TO $DATABASE_relay USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
ALTER TABLE relay.usage_summed ENABLE ROW LEVEL SECURITY;
ALTER TABLE relay.usage_sums ENABLE ROW LEVEL SECURITY;
GRANT USAGE ON SCHEMA relay TO $DATABASE_relay;
GRANT USAGE ON SCHEMA relay TO $DATABASE_relay_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.accounts TO $DATABASE_relay_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.accounts TO $DATABASE_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.dead_letter TO $DATABASE_relay_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.dead_letter TO $DATABASE_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.holders TO $DATABASE_relay_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.holders TO $DATABASE_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.idempotency TO $DATABASE_relay_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.idempotency TO $DATABASE_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.inbox TO $DATABASE_relay_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.inbox TO $DATABASE_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.inbox_failure TO $DATABASE_relay_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.inbox_failure TO $DATABASE_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.key_accounts TO $DATABASE_relay_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.key_accounts TO $DATABASE_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.leases TO $DATABASE_relay_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.leases TO $DATABASE_relay;
GRANT SELECT,INSERT ON TABLE relay.ledger TO $DATABASE_relay_system;
GRANT SELECT,INSERT ON TABLE relay.ledger TO $DATABASE_relay;
GRANT SELECT,USAGE ON SEQUENCE relay.ledger_seq_seq TO $DATABASE_relay_system;
GRANT SELECT,USAGE ON SEQUENCE relay.ledger_seq_seq TO $DATABASE_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.lost_work TO $DATABASE_relay_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.lost_work TO $DATABASE_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.migrations TO $DATABASE_relay_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.migrations TO $DATABASE_relay;
GRANT SELECT,USAGE ON SEQUENCE relay.migrations_id_seq TO $DATABASE_relay_system;
GRANT SELECT,USAGE ON SEQUENCE relay.migrations_id_seq TO $DATABASE_relay;
GRANT SELECT,USAGE ON SEQUENCE relay.outbox_seq TO $DATABASE_relay_system;
GRANT SELECT,USAGE ON SEQUENCE relay.outbox_seq TO $DATABASE_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.outbox TO $DATABASE_relay_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.outbox TO $DATABASE_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.reservations TO $DATABASE_relay_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.reservations TO $DATABASE_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.running_work TO $DATABASE_relay_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.running_work TO $DATABASE_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.usage_summed TO $DATABASE_relay_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.usage_summed TO $DATABASE_relay;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.usage_sums TO $DATABASE_relay_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE relay.usage_sums TO $DATABASE_relay;
ALTER DEFAULT PRIVILEGES IN SCHEMA relay GRANT SELECT,USAGE ON SEQUENCES  TO $DATABASE_relay_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA relay GRANT SELECT,USAGE ON SEQUENCES  TO $DATABASE_relay;
ALTER DEFAULT PRIVILEGES IN SCHEMA relay GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO $DATABASE_relay_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA relay GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO $DATABASE_relay;
INSERT INTO relay.migrations ("timestamp", name) VALUES
(1700000000000, 'MessagingTables1700000000000'),
  (1700000000001, 'CreateMoney1700000000001'),
  (1700000000002, 'FindLedgerOfTurns1700000000002'),
  (1700000000003, 'LimitsOfKeys1700000000003'),
  (1700000000004, 'Leases1700000000004'),
  (1700000000005, 'LedgerOnlyGrows1700000000005'),
  (1700000000006, 'TokensAhead1700000000006'),
  (1700000000007, 'SumUpUsage1700000000007'),
  (1700000000008, 'UseOfTheMonth1700000000008'),
  (1700000000009, 'KeysOfKeys1700000000009'),
  (1700000000500, 'FindSpentAnswers1700000000500'),
  (1700000000501, 'QueueEvents1700000000501'),
  (1700000000502, 'QueueEventsBySpace1700000000502'),
  (1700000000503, 'IndexDueEventsBySpace1700000000503'),
  (1700000000504, 'FindOldDeadLetters1700000000504'),
  (1700000000505, 'CountLostWork1700000000505'),
  (1700000000506, 'ShowLostWork1700000000506');
