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
    reason: 'How many events may cause each other in a chain before the platform stops it as a loop.',
  })
  EVENT_MAX_DEPTH!: number;

  @EnvOfPayload()
  EVENT_PAYLOAD_MAX_BYTES!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 100,
    reason:
      'Subscriptions that one event may have in a Space, and so the number of executions that one event can start.',
  })
  EVENT_SUBSCRIPTIONS_MAX!: number;

  @Env(f.int({ min: 1024 * 1024 }), {
    default: 64 * 1024 * 1024,
    reason: 'Bytes of events of one Space that may wait for their delivery. Above it, emitting and replaying get 429.',
  })
  EVENT_BACKLOG_MAX_BYTES!: number;

  @Env(f.int({ min: 30, max: 36_500 }), {
    default: 90,
    reason:
      'Days for which an event can be read and replayed, and its idempotency key is recognised. An event with a pending delivery is stored longer.',
  })
  EVENT_RETENTION_DAYS!: number;

  @Env(f.text({ min: 1 }), {
    optional: true,
    secret: true,
    reason:
      'Encrypts the secrets and headers of endpoints: 32 bytes in base64 or hex, or `2:<new>,1:<old>`. Without it no endpoint can be created.',
  })
  DATA_KEY?: string;

  @Env(f.bool(), {
    default: false,
    reason: 'Whether endpoints may have `http` addresses, which are not encrypted, in addition to `https`.',
  })
  ENDPOINTS_ALLOW_HTTP!: boolean;

  @Env(f.int({ min: 1, max: 1_000 }), {
    default: 240,
    reason:
      'Deliveries to endpoints that one process makes at a time. One payer may have a third of them while others wait.',
  })
  ENDPOINT_WORKERS!: number;

  @Env(f.int({ min: 1, max: 100_000 }), {
    default: 8_192,
    reason:
      'Deliveries over NATS that one process has sent and that have no reply yet. One payer may have an eighth of them.',
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
    reason: 'Deliveries that may wait for one endpoint. Above it, the oldest ones fail.',
  })
  ENDPOINT_BACKLOG_MAX!: number;

  @Env(f.int({ min: 1024 }), {
    default: 64 * 1024 * 1024,
    reason: 'Bytes of payloads that may wait for one endpoint. Above it, the oldest deliveries fail.',
  })
  ENDPOINT_BACKLOG_MAX_BYTES!: number;

  @Env(f.text({ max: 10_000 }), {
    default: '',
    reason:
      'Private addresses that agents, tasks, callbacks and endpoints may call, separated by commas. No ranges. With a port (`10.0.0.7:8080`), only that port.',
  })
  SWITCHYARD_ALLOW_PRIVATE_EGRESS!: string;

  @Env(
    f.text({ max: 1000, pattern: '^(\\s*[1-9][0-9]{0,4}\\s*(,|$))*$', allows: 'must be ports, separated by commas' }),
    {
      default: '',
      reason: 'Ports of public addresses that outgoing calls may use in addition to 80 and 443, separated by commas.',
    },
  )
  SWITCHYARD_EGRESS_PORTS!: string;
}
