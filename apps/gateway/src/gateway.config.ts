import { f } from '@switchyard/contracts';
import {
  Env,
  EnvOfAudience,
  EnvOfIssuer,
  EnvOfNatsApi,
  EnvOfNatsApiCa,
  EnvOfNatsApiCert,
  EnvOfNatsApiCreds,
  EnvOfNatsApiKey,
  EnvOfNatsApiSeed,
  EnvOfPayload,
  EnvOfRedis,
  type RedisServiceConfig,
  ServiceConfig,
} from '@switchyard/service';

const MIB = 1024 * 1024;

export class GatewayConfig extends ServiceConfig implements RedisServiceConfig {
  @EnvOfRedis()
  REDIS_URL!: string;

  @Env(f.text({ min: 1 }), {
    default: '127.0.0.1',
    reason: 'The address of the public port. Set 0.0.0.0 to accept connections from other machines.',
  })
  GATEWAY_HOST!: string;

  @Env(f.int({ min: 0, max: 65_535 }), { default: 3000, reason: 'The public port.' })
  GATEWAY_PORT!: number;

  @Env(f.bool(), { default: false, reason: 'Whether the routes also answer without /api.' })
  SERVE_AT_ROOT!: boolean;

  @Env(f.int({ min: 1024, max: 16 * MIB }), { default: 10 * MIB, reason: 'The largest body of a request, in bytes.' })
  BODY_LIMIT_BYTES!: number;

  @EnvOfPayload()
  EVENT_PAYLOAD_MAX_BYTES!: number;

  @Env(f.int({ min: 1000 }), {
    default: 60_000,
    reason: 'How long a body may take to arrive. An upload may take longer: it needs only progress (BODY_STALL_MS).',
  })
  BODY_TIMEOUT_MS!: number;

  @Env(f.int({ min: 1000 }), {
    default: 30_000,
    reason: 'A body that makes no progress for so long is cut off; an upload has to bring 4 KiB in that time.',
  })
  BODY_STALL_MS!: number;

  @Env(f.int({ min: 1000 }), { default: 10_000, reason: 'How long the headers of a request may take to arrive.' })
  HEADER_TIMEOUT_MS!: number;

  @Env(f.int({ min: MIB }), { default: 128 * MIB, reason: 'Bytes of requests that this process holds in all.' })
  BYTES_IN_FLIGHT!: number;

  @Env(f.int({ min: MIB }), { default: 32 * MIB, reason: 'Bytes of requests that it holds for one Space.' })
  BYTES_IN_FLIGHT_PER_SPACE!: number;

  @Env(f.int({ min: 65_536 }), {
    default: 16 * MIB,
    reason: 'Bytes of requests that it holds for all callers without a credential.',
  })
  BYTES_IN_FLIGHT_ANONYMOUS!: number;

  @Env(f.int({ min: 65_536 }), {
    default: 4 * MIB,
    reason: 'Bytes of requests that it holds for one address without a credential.',
  })
  BYTES_IN_FLIGHT_PER_ADDRESS!: number;

  @Env(f.int({ min: 1 }), { default: 10_000, reason: 'Connections that this process keeps open in all.' })
  CONNECTIONS!: number;

  @Env(f.int({ min: 1 }), {
    default: 200,
    reason:
      'Connections of one address that have shown no credential, and five times as many for the second in which they may still show one; behind trusted proxies open requests of one client.',
  })
  ANONYMOUS_CONNECTIONS_PER_ADDRESS!: number;

  @Env(f.int({ min: 1 }), {
    default: 500,
    reason: 'Connections of one credential; behind trusted proxies its open requests. Over it the idlest is closed.',
  })
  CONNECTIONS_PER_CREDENTIAL!: number;

  @Env(f.int({ min: 1 }), {
    default: 2000,
    reason: 'Connections of one Space; behind trusted proxies its open requests. Over it the idlest is closed.',
  })
  CONNECTIONS_PER_SPACE!: number;

  @Env(f.int({ min: MIB }), {
    default: 256 * MIB,
    reason: 'Bytes of answers that clients have not read, which this process holds in all.',
  })
  UNREAD_BYTES!: number;

  @Env(f.int({ min: 65_536 }), {
    default: 32 * MIB,
    reason: 'Such bytes that it holds for one Space, or for all that one payer pays for.',
  })
  UNREAD_BYTES_PER_SPACE!: number;

  @Env(f.int({ min: 1000 }), {
    default: 30_000,
    reason: 'A connection of which the client takes no byte for so long, while an answer waits, is closed.',
  })
  UNREAD_STALL_MS!: number;

  @Env(f.int({ min: 1 }), { default: 600, reason: 'Requests per minute and credential.' })
  RATE_LIMIT_PER_MINUTE!: number;

  @Env(f.int({ min: 1 }), { default: 6000, reason: 'Requests per minute and Space.' })
  SPACE_RATE_LIMIT_PER_MINUTE!: number;

  @Env(f.int({ min: 1 }), {
    default: 600,
    reason: 'Requests per minute and address that carry no credential or a rejected one.',
  })
  ADDRESS_RATE_LIMIT_PER_MINUTE!: number;

  @Env(f.int({ min: 1 }), { default: 50, reason: 'Streams that one credential may have open at once.' })
  STREAMS_PER_CREDENTIAL!: number;

  @Env(f.int({ min: 1 }), {
    default: 1000,
    reason: 'Answers without a stream that one credential may wait for at once: of turns, and of tools over MCP.',
  })
  WAITS_PER_CREDENTIAL!: number;

  @Env(f.int({ min: 1 }), { default: 2000, reason: 'Such answers that all credentials of one Space wait for at once.' })
  WAITS_PER_SPACE!: number;

  @Env(f.int({ min: 1 }), { default: 8000, reason: 'Such answers that this process waits for at once.' })
  WAITS_PER_PROCESS!: number;

  @Env(f.list(f.text()), {
    default: [],
    reason: 'Origins (JSON list) whose pages may call the API. Set it for applications in browsers.',
  })
  CORS_ORIGINS!: string[];

  @Env(f.list(f.text()), {
    default: [],
    reason:
      'Host names (JSON list), beside the loopback ones, under which /mcp may be reached. Set it before MCP clients connect from other machines.',
  })
  ALLOWED_HOSTS!: string[];

  @Env(f.int({ min: 0, max: 10 }), {
    default: 0,
    reason:
      'Number of proxies in front whose X-Forwarded-For is trusted. Without it, all clients behind a proxy share the limits of one address.',
  })
  TRUSTED_PROXIES!: number;

  @Env(f.int({ min: 0, max: 60_000 }), {
    default: 5000,
    reason: 'How long a verified credential is accepted without a new check.',
  })
  CREDENTIAL_CACHE_MS!: number;

  @EnvOfIssuer()
  OIDC_ISSUER?: string;

  @EnvOfAudience()
  OIDC_AUDIENCE?: string;

  @Env(f.text({ min: 1, max: 100 }), {
    default: 'at+jwt',
    reason: 'The `typ` in the header of such tokens (RFC 9068); some issuers write `JWT`.',
  })
  OIDC_TOKEN_TYP!: string;

  @Env(f.text(), { optional: true, reason: "Where the issuer's keys are; without it they are discovered." })
  OIDC_JWKS_URL?: string;

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

  @Env(f.text(), {
    optional: true,
    reason: 'The address under which users reach the platform. Set it if a proxy changes the host of requests.',
  })
  PUBLIC_URL?: string;
}
