import { SERVICES, type ServiceName } from '../launcher/service-names';

/**
 * How a secret is replaced:
 * - `two values`: old and new are both accepted until the last process has the new one;
 * - `restart`: one value; its readers restart, and meanwhile `interruption` applies;
 * - `automatic`: the platform replaces it by itself;
 * - `its owner`: replaced at its source, or by a user.
 */
export type Rotation = 'two values' | 'restart' | 'automatic' | 'its owner';

/** Processes of a deployment that are no service. */
type OtherReader = 'migration' | 'Postgres' | 'Redis' | 'NATS' | 'nats-services' | 'nats-accounts';

export interface PlatformSecret {
  /** As `npm run secrets` takes it, and as the documents name it. */
  name: string;
  title: string;
  /** Settings that hold it. One that names a file with it is in `files`. */
  settings?: readonly string[];
  files?: readonly string[];
  /** The services that have the setting. */
  services: readonly ServiceName[];
  otherReaders?: readonly OtherReader[];
  /** Its field in `secrets.json`, if the platform generates it: `dataKey` stands for that of each service in `services`. */
  generated?:
    | 'natsOperator'
    | 'natsMigration'
    | 'natsApi'
    | 'natsApiOperatorKey'
    | 'keyPeppers'
    | 'databaseAdminPassword'
    | 'redisPassword'
    | 'ownerPassword'
    | ServiceField;
  /** The variable of Compose's `.env`, if an operator gives it there. */
  composeEnv?: readonly string[];
  /** `<Secret>/<key>` of the Secrets that `kubernetes-secrets.js` writes; `*` stands for each of `services`. */
  kubernetes?: readonly string[];
  protects: string;
  rotation: Rotation;
  /** Where `rotation` alone does not say all. */
  how?: string;
  /** Effect on users meanwhile; empty: none. */
  interruption: string;
  onLoss: string;
}

export type ServiceField = 'nats' | 'privateKey' | 'dataKey' | 'databasePassword';

const WITH_DATABASE = SERVICES.filter((service) => service !== 'gateway');
/** The services that encrypt what they store. */
export const ENCRYPTING_SERVICES = ['key', 'agent', 'event-bus'] as const satisfies readonly ServiceName[];

/** Every secret that the platform has. Tables, commands and tests derive from it. */
export const PLATFORM_SECRETS: readonly PlatformSecret[] = [
  {
    name: 'data-keys',
    title: 'Data keys',
    settings: ['DATA_KEY'],
    services: ENCRYPTING_SERVICES,
    generated: 'dataKey',
    composeEnv: ['DATA_KEY'],
    kubernetes: ['*/DATA_KEY'],
    protects: 'secrets of Spaces, signing keys of access tokens, webhook secrets, headers of MCP servers and endpoints',
    rotation: 'two values',
    how: 'between `use` and `finish`, run `npm run secrets:rotate`',
    interruption: '',
    onLoss: 'these values cannot be decrypted: users enter them again',
  },
  {
    name: 'peppers',
    title: 'Peppers',
    settings: ['KEY_PEPPERS'],
    services: ['key'],
    generated: 'keyPeppers',
    composeEnv: ['KEY_PEPPERS'],
    kubernetes: ['key/KEY_PEPPERS'],
    protects: 'digests of API keys, refresh tokens and invitations',
    rotation: 'two values',
    how: 'before `finish`, [the owners rotate their keys](#rotate-the-peppers)',
    interruption: '',
    onLoss: 'every API key stops working, and all users must sign in again',
  },
  {
    name: 'nats-users',
    title: 'NATS users of the services',
    settings: ['NATS_NKEY_SEED'],
    services: SERVICES,
    otherReaders: ['NATS'],
    generated: 'nats',
    kubernetes: ['*/NATS_NKEY_SEED', 'nats/authorization.conf'],
    protects: 'the log-in of each service to NATS',
    rotation: 'two values',
    how: 'after each step, load the configuration of NATS before the services restart',
    interruption: '',
    onLoss: 'replace them: services cannot log in until NATS has the new ones',
  },
  {
    name: 'service-keys',
    title: 'Keys between services',
    settings: ['SERVICE_PRIVATE_KEY'],
    services: SERVICES,
    generated: 'privateKey',
    kubernetes: ['*/SERVICE_PRIVATE_KEY'],
    protects: 'signatures and encryption of messages between services',
    rotation: 'two values',
    how: 'each step on all services before the next: the public keys are in `SERVICE_PUBLIC_KEYS` of each',
    interruption: 'a request with a secret that is repeated with its idempotency key after `use` can be refused (409)',
    onLoss: 'replace them',
  },
  {
    name: 'database-passwords',
    title: 'Postgres passwords of the services',
    settings: ['DATABASE_URL', 'DATABASE_SECOND_PASSWORD'],
    services: WITH_DATABASE,
    otherReaders: ['migration'],
    generated: 'databasePassword',
    kubernetes: ['*/DATABASE_URL', '*/DATABASE_SECOND_PASSWORD', 'migrate/DATABASE_LOGINS'],
    protects: 'the log-in of each service to Postgres',
    rotation: 'two values',
    how: 'after `use`, the migration (`setup` in Compose) sets the new ones in Postgres, before the services restart',
    interruption: '',
    onLoss: 'replace them',
  },
  {
    name: 'database-administrator',
    title: 'Password of the Postgres administrator',
    services: [],
    otherReaders: ['migration', 'Postgres'],
    generated: 'databaseAdminPassword',
    composeEnv: ['POSTGRES_PASSWORD'],
    kubernetes: ['migrate/DATABASE_ADMIN_URL'],
    protects: 'roles, schemas and migrations',
    rotation: 'restart',
    how: 'no service reads it: [commands](#password-of-the-postgres-administrator)',
    interruption: '',
    onLoss: 'set a new one as a superuser of Postgres',
  },
  {
    name: 'redis-password',
    title: 'Redis password',
    settings: ['REDIS_URL'],
    services: ['gateway', 'key'],
    otherReaders: ['Redis'],
    generated: 'redisPassword',
    kubernetes: ['*/REDIS_URL'],
    protects: 'counters of rate limits and sign-ins',
    rotation: 'two values',
    how: 'in Compose, load the users of Redis after each step, before the services restart; on Kubernetes: [other commands](#redis-password)',
    interruption: '',
    onLoss: 'replace it',
  },
  {
    name: 'nats-operator',
    title: 'NATS user for people who inspect streams',
    services: [],
    otherReaders: ['NATS'],
    generated: 'natsOperator',
    kubernetes: ['nats/authorization.conf'],
    protects: 'inspection of streams (`nats-operator.nk`)',
    rotation: 'restart',
    how: 'load the configuration of NATS',
    interruption: '',
    onLoss: 'replace it',
  },
  {
    name: 'nats-migration',
    title: 'NATS user of the migration',
    settings: ['NATS_MIGRATION_SEED'],
    services: [],
    otherReaders: ['migration', 'NATS'],
    generated: 'natsMigration',
    kubernetes: ['migrate/NATS_MIGRATION_SEED', 'nats/authorization.conf'],
    protects: 'creation and change of streams',
    rotation: 'restart',
    how: 'load the configuration of NATS before the next migration',
    interruption: '',
    onLoss: 'replace it',
  },
  {
    name: 'nats-api-user',
    title: "Platform's user at the NATS server of services",
    settings: ['NATS_API_NKEY_SEED'],
    files: ['NATS_API_CREDS', 'NATS_API_TLS_KEY'],
    services: ['gateway', 'event-bus'],
    otherReaders: ['nats-services'],
    generated: 'natsApi',
    kubernetes: ['nats-services/NATS_API_NKEY_SEED'],
    protects: 'the NATS API',
    rotation: 'restart',
    how: 'load the users of that server, then restart `gateway` and `event-bus`',
    interruption: 'requests over NATS find no responder until then; deliveries wait',
    onLoss: 'replace it',
  },
  {
    name: 'nats-api-operator-key',
    title: 'Operator key of `nats-accounts`',
    settings: ['NATS_API_OPERATOR_KEY'],
    services: ['key'],
    otherReaders: ['nats-accounts'],
    generated: 'natsApiOperatorKey',
    kubernetes: ['nats-services/NATS_API_OPERATOR_KEY'],
    protects: 'the list of NATS accounts',
    rotation: 'restart',
    how: 'restart `key`, then `nats-accounts`; revoke the old key (`npm run operator -- keys`)',
    interruption: 'new accounts wait until then',
    onLoss: 'replace it and revoke the old one',
  },
  {
    name: 'owner-password',
    title: 'First password of the owner',
    settings: ['BOOTSTRAP_PASSWORD'],
    services: ['key'],
    generated: 'ownerPassword',
    composeEnv: ['BOOTSTRAP_PASSWORD'],
    kubernetes: ['key/BOOTSTRAP_PASSWORD'],
    protects: 'the first sign-in; not read later',
    rotation: 'its owner',
    how: 'change the password after the first sign-in',
    interruption: '',
    onLoss: '[reset it](spaces.md#reset-a-password)',
  },
  {
    name: 'provider-keys',
    title: 'Keys of model providers',
    services: ['relay'],
    composeEnv: [],
    protects: 'your accounts at the providers; variables that `models.yaml` names',
    rotation: 'its owner',
    how: 'create a second key at the provider, set it, restart `relay`, delete the old key',
    interruption: '',
    onLoss: 'create a new one at the provider',
  },
  {
    name: 'web-search-key',
    title: 'Key of the web search',
    settings: ['WEB_SEARCH_KEY'],
    services: ['agent'],
    composeEnv: ['WEB_SEARCH_KEY'],
    protects: 'your account at the search service',
    rotation: 'its owner',
    how: 'as with providers; restart `agent`',
    interruption: '',
    onLoss: 'create a new one there',
  },
  {
    name: 'trace-headers',
    title: 'Headers for the trace collector',
    settings: ['OTEL_EXPORTER_OTLP_HEADERS'],
    services: SERVICES,
    composeEnv: ['OTEL_EXPORTER_OTLP_HEADERS'],
    protects: 'the collector',
    rotation: 'its owner',
    how: 'set the new value, restart all services',
    interruption: 'traces are lost if the old value ends first',
    onLoss: 'create a new one there',
  },
];

export interface StoredSecret {
  title: string;
  protects: string;
  rotation: string;
}

/** Secrets in the database: their users rotate them, and no deployment contains them. */
export const STORED_SECRETS: readonly StoredSecret[] = [
  {
    title: 'Signing keys of access tokens',
    protects: 'access tokens',
    rotation:
      'automatic every `SIGNING_KEY_DAYS`: the next key is published before it signs, and the last one until its tokens end',
  },
  {
    title: 'Webhook secrets of Spaces',
    protects: 'callbacks of jobs',
    rotation: '`POST /api/spaces/{spaceId}/webhook-secret/rotate`',
  },
  {
    title: 'Secrets of endpoints',
    protects: '[webhooks](../guides/webhooks.md)',
    rotation: '`POST /api/events/endpoints/{endpointId}/rotate-secret`; both sign during the grace',
  },
  {
    title: 'API keys',
    protects: 'the API',
    rotation: '`POST /api/api-keys/{keyId}/rotate`; both are accepted during the grace',
  },
  {
    title: 'Operator keys',
    protects: "the operator's API",
    rotation: '`POST /api/operator/keys/{keyId}/rotate`; both are accepted during the grace',
  },
  {
    title: 'Seeds of NATS accounts',
    protects: '[the NATS API](../guides/nats-accounts.md)',
    rotation: '`npm run nats-accounts -- rotate <name>`; both are accepted during the grace',
  },
];

/** The secrets that `npm run secrets` can change. */
export const changeable = (): PlatformSecret[] =>
  PLATFORM_SECRETS.filter(({ generated, rotation }) => generated !== undefined && rotation !== 'its owner');
