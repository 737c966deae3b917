import { f } from '@switchyard/contracts';
import {
  DatabaseServiceConfig,
  Env,
  EnvOfNatsApi,
  EnvOfNatsApiCa,
  EnvOfNatsApiCert,
  EnvOfNatsApiCreds,
  EnvOfNatsApiKey,
  EnvOfNatsApiSeed,
  EnvOfPayload,
  type NatsApiSettings,
} from '@switchyard/service';

export class EventBusConfig extends DatabaseServiceConfig implements NatsApiSettings {
  @Env(f.int({ min: 1, max: 1000 }), {
    default: 10,
    reason: 'How many emissions may cause each other in a chain before the event bus treats it as a loop.',
  })
  EVENT_MAX_DEPTH!: number;

  @EnvOfPayload()
  EVENT_PAYLOAD_MAX_BYTES!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 100,
    reason: 'How many subscriptions one event may have in a Space: as many runs can one emission start.',
  })
  EVENT_SUBSCRIPTIONS_MAX!: number;

  @Env(f.int({ min: 1024 * 1024 }), {
    default: 64 * 1024 * 1024,
    reason:
      'Bytes of emissions and triggers of one Space that may wait to be delivered. Over it emit and replay answer 429.',
  })
  EVENT_BACKLOG_MAX_BYTES!: number;

  @Env(f.int({ min: 30, max: 36_500 }), {
    default: 90,
    reason:
      'How many days an envelope is kept with its deliveries and its idempotency key, and can be replayed. One that still waits is kept longer.',
  })
  EVENT_RETENTION_DAYS!: number;

  @Env(f.text({ min: 1 }), {
    optional: true,
    secret: true,
    reason:
      'Encrypts the secrets and headers of endpoints: 32 bytes in base64 or hex, or `2:<new>,1:<old>`. Without it no endpoint can be created.',
  })
  DATA_KEY?: string;

  @Env(f.bool(), { default: false, reason: 'Whether addresses of endpoints may be http, beside https.' })
  ENDPOINTS_ALLOW_HTTP!: boolean;

  @Env(f.int({ min: 1, max: 1_000 }), {
    default: 240,
    reason: 'Deliveries to endpoints that one process makes at a time. A payer has a third of them while others wait.',
  })
  ENDPOINT_WORKERS!: number;

  @Env(f.int({ min: 1, max: 100_000 }), {
    default: 8_192,
    reason:
      'Deliveries over NATS that one process has sent and that are not answered yet. A payer has an eighth of them.',
  })
  ENDPOINT_NATS_WORKERS!: number;

  @EnvOfNatsApi()
  NATS_API_URL?: string;

  @EnvOfNatsApiSeed()
  NATS_API_NKEY_SEED?: string;

  @EnvOfNatsApiCreds()
  NATS_API_CREDS?: string;

  @EnvOfNatsApiCa()
  NATS_API_TLS_CA?: string;

  @EnvOfNatsApiCert()
  NATS_API_TLS_CERT?: string;

  @EnvOfNatsApiKey()
  NATS_API_TLS_KEY?: string;

  @Env(f.int({ min: 1, max: 1_000_000 }), {
    default: 100_000,
    reason: 'Deliveries that may wait for one endpoint. Over it the oldest fail.',
  })
  ENDPOINT_BACKLOG_MAX!: number;

  @Env(f.int({ min: 1024 }), {
    default: 64 * 1024 * 1024,
    reason: 'Bytes of payloads that may wait for one endpoint. Over it the oldest deliveries fail.',
  })
  ENDPOINT_BACKLOG_MAX_BYTES!: number;

  @Env(f.text({ max: 10_000 }), {
    default: '',
    reason: 'Exact private addresses that outgoing calls may reach, separated by commas; with a port, that port alone.',
  })
  SWITCHYARD_ALLOW_PRIVATE_EGRESS!: string;

  @Env(
    f.text({ max: 1000, pattern: '^(\\s*[1-9][0-9]{0,4}\\s*(,|$))*$', allows: 'must be ports, separated by commas' }),
    {
      default: '',
      reason: 'Ports of public addresses that outgoing calls may go to, beside 80 and 443, separated by commas.',
    },
  )
  SWITCHYARD_EGRESS_PORTS!: string;
}
