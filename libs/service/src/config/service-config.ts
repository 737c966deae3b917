import { f, PLATFORM_WRITTEN } from '@switchyard/contracts';
import { Env } from './env';

/** The configuration of a service with `redis: true`. */
export interface RedisServiceConfig extends ServiceConfig {
  REDIS_URL: string;
}

export const EnvOfRedis = () =>
  Env(f.text({ min: 1 }), { secret: true, reason: 'The Redis server. Its data may be lost at any time.' });

/** The external issuer is configured if both are set, for every service that reads them. */
export const EnvOfIssuer = () =>
  Env(f.text(), {
    optional: true,
    togetherWith: 'OIDC_AUDIENCE',
    reason:
      "An OIDC issuer whose access tokens are accepted in addition to the platform's own. It requires OIDC_AUDIENCE.",
  });

export const EnvOfAudience = () =>
  Env(f.text(), {
    optional: true,
    togetherWith: 'OIDC_ISSUER',
    reason: 'The audience that tokens of OIDC_ISSUER must name.',
  });

/** Read by every service that emits, and by the one that records: too large a payload is rejected before it is sent. */
export const EnvOfPayload = () =>
  Env(f.int({ min: 1024, max: 512 * 1024 }), {
    default: 256 * 1024,
    reason: 'The largest payload of an event, in bytes of JSON. It must fit into one message to the task service.',
  });

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Settings of every service; each service extends this class. */
export class ServiceConfig {
  @Env(f.oneOf(['production', 'development', 'test'] as const), {
    default: 'production',
    reason: '`development` has one effect: the service accepts well-known development secrets.',
  })
  NODE_ENV!: 'production' | 'development' | 'test';

  @Env(f.oneOf(LOG_LEVELS), {
    default: 'info',
    reason: 'The lowest severity that is logged. Set it to `debug` while you look for a fault.',
  })
  LOG_LEVEL!: string;

  @Env(f.text({ min: 1 }), { reason: 'The NATS server, or several separated by commas.' })
  NATS_URL!: string;

  @Env(f.text({ min: 50, max: 80 }), {
    optional: true,
    secret: true,
    reason: "The seed of this service's NATS user. Without it, the service uses the credentials in NATS_URL.",
  })
  NATS_NKEY_SEED?: string;

  @Env(f.int({ min: 32 * 1024 * 1024 }), {
    default: 256 * 1024 * 1024,
    reason:
      'Maximum size of all messages over 1 MiB that this process holds until their receivers fetch them. Above it, further large messages are rejected.',
  })
  BUS_PARTS_MAX_BYTES!: number;

  @Env(f.text({ min: 40, max: 125 }), {
    secret: true,
    reason:
      "This service's Ed25519 seed (base64url), with which it signs the caller's identity in its messages. During a rotation, two seeds separated by a comma: the service signs with the first; messages of both are accepted.",
  })
  SERVICE_PRIVATE_KEY!: string;

  @Env(f.record(PLATFORM_WRITTEN, f.text({ min: 40, max: 125 })), {
    reason: "Every service's public key (JSON object of base64url), in the order of its SERVICE_PRIVATE_KEY.",
  })
  SERVICE_PUBLIC_KEYS!: Record<string, string>;

  @Env(f.record(PLATFORM_WRITTEN, f.text()), {
    default: {},
    reason:
      "The address of each service's internal port (JSON object of URLs). Used for emissions and credential checks while NATS is down.",
  })
  INTERNAL_URLS!: Record<string, string>;

  @Env(f.text(), { default: '127.0.0.1', reason: 'The address of the internal port.' })
  INTERNAL_HOST!: string;

  @Env(f.int({ min: 0, max: 65_535 }), {
    default: 0,
    reason:
      'The internal port: health, metrics, and calls of other services while NATS is down. 0 chooses a free port.',
  })
  INTERNAL_PORT!: number;

  @Env(f.int({ min: 0, max: 600_000 }), {
    default: 25_000,
    reason: 'How long a stopping service may take to finish its current work.',
  })
  SHUTDOWN_GRACE_MS!: number;

  @Env(f.int({ min: 0, max: 60_000 }), {
    default: 200,
    reason:
      'If the event loop is blocked and the process uses at least this many milliseconds of processor time meanwhile, the service logs the stack and counts a stall. 0 turns this off.',
  })
  EVENT_LOOP_STALL_MS!: number;

  @Env(f.text({ min: 1, pattern: '^https?://', allows: 'must begin with http:// or https://' }), {
    optional: true,
    reason: 'The base address of an OpenTelemetry collector (OTLP over HTTP). Traces are sent only if it is set.',
  })
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  @Env(f.text({ min: 1 }), {
    optional: true,
    secret: true,
    reason: 'Headers for the collector: name=value, separated by commas.',
  })
  OTEL_EXPORTER_OTLP_HEADERS?: string;

  @Env(f.number({ min: 0, max: 1 }), {
    default: 1,
    reason:
      'Share of the traces that start in this process that is recorded (0 to 1). If a request has a `traceparent`, its sampling decision applies.',
  })
  OTEL_TRACES_SAMPLER_ARG!: number;

  @Env(f.bool(), {
    default: false,
    reason:
      'Adds prompts, answers and tool arguments to spans, with secrets masked and long texts truncated, for Spaces whose setting `captureContent` is on.',
  })
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT!: boolean;

  @Env(f.int(), {
    default: 0,
    testsOnly: true,
    reason: 'Offsets the clock of this process, to test clock skew. Accepted only if NODE_ENV is test.',
  })
  CLOCK_OFFSET_MS!: number;

  @Env(f.bool(), {
    default: false,
    testsOnly: true,
    reason:
      'Lets tests crash this process at named failpoints, through the internal port. Accepted only if NODE_ENV is test.',
  })
  FAILPOINTS!: boolean;
}

/** Settings of every service with a database. */
export class DatabaseServiceConfig extends ServiceConfig {
  @Env(f.text({ min: 1 }), {
    secret: true,
    reason: "Postgres with this service's own login; several hosts of one database are separated by commas.",
  })
  DATABASE_URL!: string;

  @Env(f.text(), {
    optional: true,
    secret: true,
    reason:
      'While the password of DATABASE_URL is rotated, the other one: a new connection that Postgres refuses for its password is tried with the other, and the one that worked is tried first from then on.',
  })
  DATABASE_SECOND_PASSWORD?: string;

  @Env(f.int({ min: 1, max: 100 }), {
    default: 8,
    reason:
      'Connections of this process to Postgres. Raise it if SwitchyardPoolRefuses fires and Postgres accepts the sum.',
  })
  DATABASE_POOL_SIZE!: number;

  @Env(f.int({ min: 100, max: 60_000 }), {
    default: 5_000,
    reason: 'How long a request waits for a connection of the pool before it gets a 503.',
  })
  DATABASE_POOL_WAIT_MS!: number;

  @Env(f.int({ min: 1_000, max: 60_000 }), {
    default: 15_000,
    reason: 'How long a statement may run before Postgres cancels it.',
  })
  DATABASE_STATEMENT_TIMEOUT_MS!: number;

  @Env(f.int({ min: 100, max: 86_400_000 }), {
    default: 600_000,
    reason: 'Interval between two searches for expired rows.',
  })
  RETENTION_EVERY_MS!: number;

  @Env(f.int({ min: 7, max: 3_650 }), {
    default: 90,
    reason: 'Days for which a dead letter can be requeued.',
  })
  DEAD_LETTER_RETENTION_DAYS!: number;
}
