CREATE SCHEMA key;
CREATE FUNCTION key.keep_limits_of_key() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin
       insert into "key".ended_key_limits (space_id, id, limits, made_by_key) values (old.space_id, old.id, old.limits, old.made_by_key) on conflict do nothing;
       return null;
     end $$;
CREATE FUNCTION key.refuse_change_of_the_log() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      begin
        raise exception 'the log of security events only grows' using errcode = '42501';
      end $$;
CREATE FUNCTION key.refuse_loss_of_the_log() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if old.at > now() - interval '30 days' then
        raise exception 'the log of security events only grows for 30 days' using errcode = '42501';
      end if;
      return old;
    end $$;
CREATE TABLE key.account_events (
    id uuid NOT NULL,
    action text NOT NULL,
    user_id uuid,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    request_id text NOT NULL,
    at timestamp(3) with time zone DEFAULT now() NOT NULL,
    actor_type text,
    actor_id text,
    credential_id text,
    target text
);
CREATE TABLE key.api_key_values (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    key_id uuid NOT NULL,
    digest bytea NOT NULL,
    pepper_version integer NOT NULL,
    ends_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY key.api_key_values FORCE ROW LEVEL SECURITY;
CREATE TABLE key.api_keys (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    description text,
    type text NOT NULL,
    user_id uuid,
    application_id uuid,
    last4 text NOT NULL,
    scopes text[] NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    expires_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone,
    created_by uuid,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    revoked_at timestamp(3) with time zone,
    limits jsonb DEFAULT '{}'::jsonb NOT NULL,
    legacy_scopes text[] DEFAULT '{}'::text[] NOT NULL,
    made_by_key uuid,
    CONSTRAINT api_keys_check CHECK (((type = 'USER'::text) = (user_id IS NOT NULL))),
    CONSTRAINT api_keys_check1 CHECK (((type = 'SYSTEM'::text) = (application_id IS NOT NULL))),
    CONSTRAINT api_keys_type_check CHECK ((type = ANY (ARRAY['USER'::text, 'SYSTEM'::text, 'OPERATOR'::text])))
);
ALTER TABLE ONLY key.api_keys FORCE ROW LEVEL SECURITY;
CREATE TABLE key.credit_intents (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    tokens bigint NOT NULL,
    note text,
    origin jsonb NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    next_try_at timestamp with time zone DEFAULT (clock_timestamp() + '00:01:00'::interval) NOT NULL,
    settled_at timestamp with time zone,
    answered_at timestamp with time zone
);
ALTER TABLE ONLY key.credit_intents FORCE ROW LEVEL SECURITY;
CREATE TABLE key.dead_letter (
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
CREATE TABLE key.ended_key_limits (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    limits jsonb NOT NULL,
    made_by_key uuid
);
ALTER TABLE ONLY key.ended_key_limits FORCE ROW LEVEL SECURITY;
CREATE TABLE key.external_identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE key.idempotency (
    space_id uuid NOT NULL,
    actor text NOT NULL,
    route text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    answer jsonb,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY key.idempotency FORCE ROW LEVEL SECURITY;
CREATE TABLE key.inbox (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE key.inbox_failure (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    attempts integer NOT NULL,
    error text NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE key.invitations (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    digest bytea,
    expires_at timestamp(3) with time zone NOT NULL,
    invited_by uuid,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['OWNER'::text, 'ADMIN'::text, 'MEMBER'::text, 'VIEWER'::text])))
);
ALTER TABLE ONLY key.invitations FORCE ROW LEVEL SECURITY;
CREATE TABLE key.lost_work (
    kind text NOT NULL,
    id uuid NOT NULL,
    space_id uuid,
    losses integer NOT NULL,
    lost_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    lost_by text,
    given_up_at timestamp with time zone,
    shown_id uuid
);
CREATE TABLE key.members (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    invited_email text,
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['OWNER'::text, 'ADMIN'::text, 'MEMBER'::text, 'VIEWER'::text])))
);
ALTER TABLE ONLY key.members FORCE ROW LEVEL SECURITY;
CREATE TABLE key.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);
CREATE SEQUENCE key.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE key.migrations_id_seq OWNED BY key.migrations.id;
CREATE SEQUENCE key.outbox_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE key.outbox (
    id uuid NOT NULL,
    name text NOT NULL,
    at timestamp with time zone NOT NULL,
    ctx jsonb NOT NULL,
    data jsonb NOT NULL,
    order_key text,
    pending text[] NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    locked_until timestamp with time zone NOT NULL,
    seq bigint DEFAULT nextval('key.outbox_seq'::regclass)
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_cost_delay='0');
CREATE TABLE key.password_resets (
    user_id uuid NOT NULL,
    digest bytea NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE key.refresh_tokens (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    sign_in_id uuid NOT NULL,
    digest bytea NOT NULL,
    ends_at timestamp(3) with time zone NOT NULL,
    spent_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    successor bytea
);
ALTER TABLE ONLY key.refresh_tokens FORCE ROW LEVEL SECURITY;
CREATE UNLOGGED TABLE key.running_work (
    worker text NOT NULL,
    slot text NOT NULL,
    kind text NOT NULL,
    ids uuid[] NOT NULL,
    is_alone boolean DEFAULT false NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');
CREATE TABLE key.secrets (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    description text,
    hosts text[] DEFAULT '{}'::text[] NOT NULL,
    sealed bytea NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_by uuid,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp(3) with time zone
);
ALTER TABLE ONLY key.secrets FORCE ROW LEVEL SECURITY;
CREATE TABLE key.sign_ins (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    ends_at timestamp(3) with time zone NOT NULL,
    revoked_at timestamp(3) with time zone,
    revoked_because text,
    signed_in_at timestamp(3) with time zone
);
ALTER TABLE ONLY key.sign_ins FORCE ROW LEVEL SECURITY;
CREATE TABLE key.signing_keys (
    kid text NOT NULL,
    algorithm text NOT NULL,
    stage text NOT NULL,
    public_jwk jsonb NOT NULL,
    sealed_private_jwk bytea NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    current_since timestamp(3) with time zone,
    retire_at timestamp(3) with time zone
);
CREATE TABLE key.space_events (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    action text NOT NULL,
    target text,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    actor_user_id uuid,
    credential_id text,
    request_id text NOT NULL,
    at timestamp(3) with time zone DEFAULT now() NOT NULL,
    actor_type text,
    actor_id text
);
ALTER TABLE ONLY key.space_events FORCE ROW LEVEL SECURITY;
CREATE TABLE key.space_makers (
    space_id uuid NOT NULL,
    user_id uuid NOT NULL,
    made_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE key.space_totals (
    space_id uuid NOT NULL,
    balance bigint DEFAULT 0 NOT NULL,
    month date,
    tokens bigint DEFAULT 0 NOT NULL,
    daily_tokens bigint DEFAULT 0 NOT NULL,
    calls bigint DEFAULT 0 NOT NULL,
    cost numeric DEFAULT 0 NOT NULL,
    used_at timestamp with time zone,
    bytes bigint DEFAULT 0 NOT NULL,
    records bigint DEFAULT 0 NOT NULL,
    stored_at timestamp with time zone
);
ALTER TABLE ONLY key.space_totals FORCE ROW LEVEL SECURITY;
CREATE TABLE key.spaces (
    space_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    sealed_webhook_secret bytea NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    status text DEFAULT 'ACTIVE'::text NOT NULL,
    suspended_reason text,
    ceilings jsonb DEFAULT '{}'::jsonb NOT NULL,
    made_by uuid,
    made_by_kind text,
    payer_kind text,
    payer_id uuid,
    unmetered boolean DEFAULT false NOT NULL,
    starting_tokens bigint,
    suspended_at timestamp(3) with time zone,
    last_suspended_at timestamp(3) with time zone,
    last_resumed_at timestamp(3) with time zone,
    CONSTRAINT spaces_check CHECK ((id = space_id)),
    CONSTRAINT spaces_made_by_kind_check CHECK ((made_by_kind = ANY (ARRAY['operator'::text, 'user'::text]))),
    CONSTRAINT spaces_payer_check CHECK ((((payer_kind IS NULL) = (payer_id IS NULL)) AND (payer_kind = ANY (ARRAY['space'::text, 'user'::text])))),
    CONSTRAINT spaces_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'SUSPENDED'::text])))
);
ALTER TABLE ONLY key.spaces FORCE ROW LEVEL SECURITY;
CREATE TABLE key.users (
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    home_space_id uuid,
    last_signed_in_at timestamp with time zone,
    password_by_others boolean DEFAULT true NOT NULL,
    operator boolean DEFAULT false NOT NULL,
    disabled_at timestamp(3) with time zone,
    password_changed_at timestamp(3) with time zone
);
ALTER TABLE ONLY key.migrations ALTER COLUMN id SET DEFAULT nextval('key.migrations_id_seq'::regclass);
ALTER TABLE ONLY key.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);
ALTER TABLE ONLY key.account_events
    ADD CONSTRAINT account_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY key.api_key_values
    ADD CONSTRAINT api_key_values_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY key.api_key_values
    ADD CONSTRAINT api_key_values_space_id_digest_key UNIQUE (space_id, digest);
ALTER TABLE ONLY key.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY key.credit_intents
    ADD CONSTRAINT credit_intents_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY key.dead_letter
    ADD CONSTRAINT dead_letter_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY key.ended_key_limits
    ADD CONSTRAINT ended_key_limits_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY key.external_identities
    ADD CONSTRAINT external_identities_issuer_user_id_key UNIQUE (issuer, user_id);
ALTER TABLE ONLY key.external_identities
    ADD CONSTRAINT external_identities_pkey PRIMARY KEY (issuer, subject, user_id);
ALTER TABLE ONLY key.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (space_id, actor, route, key);
ALTER TABLE ONLY key.inbox_failure
    ADD CONSTRAINT inbox_failure_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY key.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY key.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY key.invitations
    ADD CONSTRAINT invitations_space_id_email_key UNIQUE (space_id, email);
ALTER TABLE ONLY key.lost_work
    ADD CONSTRAINT lost_work_pkey PRIMARY KEY (kind, id);
ALTER TABLE ONLY key.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY key.members
    ADD CONSTRAINT members_space_id_user_id_key UNIQUE (space_id, user_id);
ALTER TABLE ONLY key.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY key.password_resets
    ADD CONSTRAINT password_resets_digest_key UNIQUE (digest);
ALTER TABLE ONLY key.password_resets
    ADD CONSTRAINT password_resets_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY key.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY key.refresh_tokens
    ADD CONSTRAINT refresh_tokens_space_id_digest_key UNIQUE (space_id, digest);
ALTER TABLE ONLY key.running_work
    ADD CONSTRAINT running_work_pkey PRIMARY KEY (worker, slot);
ALTER TABLE ONLY key.secrets
    ADD CONSTRAINT secrets_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY key.sign_ins
    ADD CONSTRAINT sign_ins_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY key.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);
ALTER TABLE ONLY key.space_events
    ADD CONSTRAINT space_events_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY key.space_makers
    ADD CONSTRAINT space_makers_pkey PRIMARY KEY (space_id);
ALTER TABLE ONLY key.space_totals
    ADD CONSTRAINT space_totals_pkey PRIMARY KEY (space_id);
ALTER TABLE ONLY key.spaces
    ADD CONSTRAINT spaces_pkey PRIMARY KEY (space_id, id);
ALTER TABLE ONLY key.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
CREATE INDEX account_events_by_action ON key.account_events USING btree (action, at DESC, id DESC);
CREATE INDEX account_events_by_actor ON key.account_events USING btree (actor_id, at DESC, id DESC) WHERE (actor_id IS NOT NULL);
CREATE INDEX account_events_by_age ON key.account_events USING btree (at);
CREATE INDEX account_events_of_a_user ON key.account_events USING btree (user_id, at DESC);
CREATE INDEX account_events_of_machine ON key.account_events USING btree (at DESC, id DESC) WHERE (actor_type = 'machine'::text);
CREATE INDEX api_key_values_by_digest ON key.api_key_values USING btree (digest);
CREATE INDEX api_key_values_by_end ON key.api_key_values USING btree (ends_at) WHERE (ends_at IS NOT NULL);
CREATE INDEX api_key_values_of_a_key ON key.api_key_values USING btree (space_id, key_id);
CREATE INDEX api_keys_by_end ON key.api_keys USING btree (LEAST(expires_at, revoked_at)) WHERE ((expires_at IS NOT NULL) OR (revoked_at IS NOT NULL));
CREATE INDEX api_keys_newest ON key.api_keys USING btree (space_id, created_at DESC, id DESC);
CREATE INDEX api_keys_of_a_user ON key.api_keys USING btree (space_id, user_id);
CREATE INDEX api_keys_of_operators ON key.api_keys USING btree (created_at DESC, id DESC) WHERE (type = 'OPERATOR'::text);
CREATE UNIQUE INDEX api_keys_one_per_application ON key.api_keys USING btree (space_id, application_id) WHERE ((type = 'SYSTEM'::text) AND (revoked_at IS NULL));
CREATE INDEX credit_intents_open ON key.credit_intents USING btree (next_try_at) WHERE (settled_at IS NULL);
CREATE INDEX credit_intents_settled ON key.credit_intents USING btree (settled_at) WHERE (settled_at IS NOT NULL);
CREATE INDEX dead_letter_age ON key.dead_letter USING btree (last_at);
CREATE INDEX external_identities_of_a_user ON key.external_identities USING btree (user_id);
CREATE INDEX idempotency_expires ON key.idempotency USING btree (expires_at);
CREATE INDEX inbox_seen ON key.inbox USING brin (seen_at);
CREATE INDEX invitations_by_digest ON key.invitations USING btree (digest);
CREATE INDEX invitations_by_end ON key.invitations USING btree (expires_at);
CREATE INDEX lost_work_age ON key.lost_work USING btree (lost_at);
CREATE INDEX lost_work_of_id ON key.lost_work USING btree (id);
CREATE INDEX lost_work_shown ON key.lost_work USING btree (shown_id) WHERE (shown_id IS NOT NULL);
CREATE INDEX members_newest ON key.members USING btree (space_id, created_at DESC, user_id DESC);
CREATE INDEX members_of_a_user ON key.members USING btree (user_id, created_at);
CREATE INDEX outbox_due ON key.outbox USING btree (locked_until);
CREATE INDEX outbox_due_turns ON key.outbox USING btree (COALESCE((ctx ->> 'spaceId'::text), ''::text), locked_until) WHERE (epoch >= 0);
CREATE INDEX outbox_queued ON key.outbox USING btree (seq) WHERE (epoch < 0);
CREATE INDEX outbox_queued_keys ON key.outbox USING btree (order_key, locked_until) WHERE (epoch < 0);
CREATE INDEX outbox_queued_turns ON key.outbox USING btree (COALESCE((ctx ->> 'spaceId'::text), ''::text), order_key, seq) WHERE (epoch < 0);
CREATE INDEX refresh_tokens_by_digest ON key.refresh_tokens USING btree (digest);
CREATE INDEX refresh_tokens_of_a_sign_in ON key.refresh_tokens USING btree (space_id, sign_in_id);
CREATE INDEX secrets_newest ON key.secrets USING btree (space_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX secrets_one_of_a_name ON key.secrets USING btree (space_id, lower(name));
CREATE INDEX sign_ins_by_end ON key.sign_ins USING btree (LEAST(ends_at, revoked_at));
CREATE INDEX sign_ins_by_id ON key.sign_ins USING btree (id);
CREATE INDEX sign_ins_of_a_user ON key.sign_ins USING btree (space_id, user_id) WHERE (revoked_at IS NULL);
CREATE INDEX sign_ins_of_an_account ON key.sign_ins USING btree (user_id) WHERE (revoked_at IS NULL);
CREATE UNIQUE INDEX signing_keys_one_current ON key.signing_keys USING btree (stage) WHERE (stage = 'CURRENT'::text);
CREATE INDEX space_events_by_action ON key.space_events USING btree (action, at DESC, id DESC);
CREATE INDEX space_events_by_actor ON key.space_events USING btree (actor_id, at DESC, id DESC) WHERE (actor_id IS NOT NULL);
CREATE INDEX space_events_by_age ON key.space_events USING btree (at);
CREATE INDEX space_events_by_person ON key.space_events USING btree (actor_user_id, at DESC, id DESC) WHERE (actor_user_id IS NOT NULL);
CREATE INDEX space_events_newest ON key.space_events USING btree (space_id, at DESC, id DESC);
CREATE INDEX space_events_of_machine ON key.space_events USING btree (at DESC, id DESC) WHERE ((actor_type = 'machine'::text) OR ((actor_type IS NULL) AND (actor_user_id IS NULL)));
CREATE INDEX space_makers_of_a_user ON key.space_makers USING btree (user_id, made_at);
CREATE INDEX space_totals_by_bytes ON key.space_totals USING btree (bytes DESC, space_id DESC);
CREATE INDEX space_totals_by_month ON key.space_totals USING btree (month);
CREATE INDEX space_totals_by_tokens ON key.space_totals USING btree (tokens DESC, space_id DESC);
CREATE INDEX spaces_by_maker ON key.spaces USING btree (made_by, created_at);
CREATE INDEX spaces_by_payer ON key.spaces USING btree (payer_id) WHERE (payer_kind = 'space'::text);
CREATE INDEX spaces_newest ON key.spaces USING btree (created_at DESC, id DESC);
CREATE INDEX spaces_resumed ON key.spaces USING btree (last_resumed_at) WHERE (last_resumed_at IS NOT NULL);
CREATE INDEX spaces_suspended ON key.spaces USING btree (space_id) WHERE (status = 'SUSPENDED'::text);
CREATE INDEX spaces_without_a_maker ON key.spaces USING btree (created_at) WHERE (made_by_kind IS NULL);
CREATE INDEX users_of_an_address ON key.users USING btree (email);
CREATE INDEX users_operators ON key.users USING btree (id) WHERE operator;
CREATE TRIGGER account_events_only_grows BEFORE UPDATE OR TRUNCATE ON key.account_events FOR EACH STATEMENT EXECUTE FUNCTION key.refuse_change_of_the_log();
CREATE TRIGGER account_events_stays BEFORE DELETE ON key.account_events FOR EACH ROW EXECUTE FUNCTION key.refuse_loss_of_the_log();
CREATE TRIGGER keep_limits AFTER DELETE ON key.api_keys FOR EACH ROW WHEN (((old.limits <> '{}'::jsonb) OR (old.made_by_key IS NOT NULL))) EXECUTE FUNCTION key.keep_limits_of_key();
CREATE TRIGGER space_events_only_grows BEFORE UPDATE OR TRUNCATE ON key.space_events FOR EACH STATEMENT EXECUTE FUNCTION key.refuse_change_of_the_log();
CREATE TRIGGER space_events_stays BEFORE DELETE ON key.space_events FOR EACH ROW EXECUTE FUNCTION key.refuse_loss_of_the_log();
ALTER TABLE ONLY key.api_key_values
    ADD CONSTRAINT api_key_values_space_id_key_id_fkey FOREIGN KEY (space_id, key_id) REFERENCES key.api_keys(space_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY key.external_identities
    ADD CONSTRAINT external_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES key.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY key.members
    ADD CONSTRAINT members_user_id_fkey FOREIGN KEY (user_id) REFERENCES key.users(id);
ALTER TABLE ONLY key.password_resets
    ADD CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES key.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY key.refresh_tokens
    ADD CONSTRAINT refresh_tokens_space_id_sign_in_id_fkey FOREIGN KEY (space_id, sign_in_id) REFERENCES key.sign_ins(space_id, id) ON DELETE CASCADE;
ALTER TABLE key.api_key_values ENABLE ROW LEVEL SECURITY;
ALTER TABLE key.api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE key.credit_intents ENABLE ROW LEVEL SECURITY;
ALTER TABLE key.ended_key_limits ENABLE ROW LEVEL SECURITY;
ALTER TABLE key.idempotency ENABLE ROW LEVEL SECURITY;
ALTER TABLE key.invitations ENABLE ROW LEVEL SECURITY;
ALTER TABLE key.members ENABLE ROW LEVEL SECURITY;
ALTER TABLE key.refresh_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE key.secrets ENABLE ROW LEVEL SECURITY;
ALTER TABLE key.sign_ins ENABLE ROW LEVEL SECURITY;
ALTER TABLE key.space_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE key.space_totals ENABLE ROW LEVEL SECURITY;
ALTER TABLE key.spaces ENABLE ROW LEVEL SECURITY;
CREATE POLICY system ON key.api_key_values TO $DATABASE_key_system USING (true) WITH CHECK (true);
CREATE POLICY system ON key.api_keys TO $DATABASE_key_system USING (true) WITH CHECK (true);
CREATE POLICY system ON key.credit_intents TO $DATABASE_key_system USING (true) WITH CHECK (true);
CREATE POLICY system ON key.ended_key_limits TO $DATABASE_key_system USING (true) WITH CHECK (true);
CREATE POLICY system ON key.idempotency TO $DATABASE_key_system USING (true) WITH CHECK (true);
CREATE POLICY system ON key.invitations TO $DATABASE_key_system USING (true) WITH CHECK (true);
CREATE POLICY system ON key.members TO $DATABASE_key_system USING (true) WITH CHECK (true);
CREATE POLICY system ON key.refresh_tokens TO $DATABASE_key_system USING (true) WITH CHECK (true);
CREATE POLICY system ON key.secrets TO $DATABASE_key_system USING (true) WITH CHECK (true);
CREATE POLICY system ON key.sign_ins TO $DATABASE_key_system USING (true) WITH CHECK (true);
CREATE POLICY system ON key.space_events TO $DATABASE_key_system USING (true) WITH CHECK (true);
CREATE POLICY system ON key.space_totals TO $DATABASE_key_system USING (true) WITH CHECK (true);
CREATE POLICY system ON key.spaces TO $DATABASE_key_system USING (true) WITH CHECK (true);
CREATE POLICY tenant ON key.api_key_values TO $DATABASE_key USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON key.api_keys TO $DATABASE_key USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON key.credit_intents TO $DATABASE_key USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON key.ended_key_limits TO $DATABASE_key USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON key.idempotency TO $DATABASE_key USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON key.invitations TO $DATABASE_key USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON key.members TO $DATABASE_key USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON key.refresh_tokens TO $DATABASE_key USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON key.secrets TO $DATABASE_key USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON key.sign_ins TO $DATABASE_key USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON key.space_events TO $DATABASE_key USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON key.space_totals TO $DATABASE_key USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON key.spaces TO $DATABASE_key USING ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid)) WITH CHECK ((space_id = (NULLIF(current_setting('app.space_id'::text, true), ''::text))::uuid));
GRANT USAGE ON SCHEMA key TO $DATABASE_key;
GRANT USAGE ON SCHEMA key TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.account_events TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.account_events TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.api_key_values TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.api_key_values TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.api_keys TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.api_keys TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.credit_intents TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.credit_intents TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.dead_letter TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.dead_letter TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.ended_key_limits TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.ended_key_limits TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.external_identities TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.external_identities TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.idempotency TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.idempotency TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.inbox TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.inbox TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.inbox_failure TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.inbox_failure TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.invitations TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.invitations TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.lost_work TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.lost_work TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.members TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.members TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.migrations TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.migrations TO $DATABASE_key;
GRANT SELECT,USAGE ON SEQUENCE key.migrations_id_seq TO $DATABASE_key_system;
GRANT SELECT,USAGE ON SEQUENCE key.migrations_id_seq TO $DATABASE_key;
GRANT SELECT,USAGE ON SEQUENCE key.outbox_seq TO $DATABASE_key_system;
GRANT SELECT,USAGE ON SEQUENCE key.outbox_seq TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.outbox TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.outbox TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.password_resets TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.password_resets TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.refresh_tokens TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.refresh_tokens TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.running_work TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.running_work TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.secrets TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.secrets TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.sign_ins TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.sign_ins TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.signing_keys TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.signing_keys TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.space_events TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.space_events TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.space_makers TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.space_makers TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.space_totals TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.space_totals TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.spaces TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.spaces TO $DATABASE_key;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.users TO $DATABASE_key_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE key.users TO $DATABASE_key;
ALTER DEFAULT PRIVILEGES IN SCHEMA key GRANT SELECT,USAGE ON SEQUENCES  TO $DATABASE_key_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA key GRANT SELECT,USAGE ON SEQUENCES  TO $DATABASE_key;
ALTER DEFAULT PRIVILEGES IN SCHEMA key GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO $DATABASE_key_system;
ALTER DEFAULT PRIVILEGES IN SCHEMA key GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES  TO $DATABASE_key;
INSERT INTO key.migrations ("timestamp", name) VALUES
(1700000000000, 'MessagingTables1700000000000'),
  (1700000000001, 'CreateIdentity1700000000001'),
  (1700000000002, 'CreateCredentials1700000000002'),
  (1700000000003, 'CreateAuditLogs1700000000003'),
  (1700000000004, 'AccountsOfSpaces1700000000004'),
  (1700000000005, 'LetOldRowsGo1700000000005'),
  (1700000000006, 'CreateSecrets1700000000006'),
  (1700000000007, 'LimitsOfKeys1700000000007'),
  (1700000000008, 'MarkPasswordsOfOthers1700000000008'),
  (1700000000009, 'LimitsOfEndedKeys1700000000009'),
  (1700000000010, 'LimitsStay1700000000010'),
  (1700000000011, 'RepeatableRefreshes1700000000011'),
  (1700000000012, 'SpacesOfPayers1700000000012'),
  (1700000000013, 'Operators1700000000013'),
  (1700000000014, 'SpaceTotals1700000000014'),
  (1700000000015, 'ScopesOfBefore1700000000015'),
  (1700000000016, 'KeysOfKeys1700000000016'),
  (1700000000017, 'EventsByActor1700000000017'),
  (1700000000018, 'CreditIntents1700000000018'),
  (1700000000019, 'SpacesByPayer1700000000019'),
  (1700000000020, 'AnsweredCredits1700000000020'),
  (1700000000021, 'SuspendedAt1700000000021'),
  (1700000000022, 'LastSuspension1700000000022'),
  (1700000000500, 'FindSpentAnswers1700000000500'),
  (1700000000501, 'QueueEvents1700000000501'),
  (1700000000502, 'QueueEventsBySpace1700000000502'),
  (1700000000503, 'IndexDueEventsBySpace1700000000503'),
  (1700000000504, 'FindOldDeadLetters1700000000504'),
  (1700000000505, 'CountLostWork1700000000505'),
  (1700000000506, 'ShowLostWork1700000000506');
