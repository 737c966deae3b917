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

  @Env(f.bool(), { default: false, reason: 'Whether the routes of the API also exist without the prefix `/api`.' })
  SERVE_AT_ROOT!: boolean;

  @Env(f.int({ min: 1024, max: 16 * MIB }), { default: 10 * MIB, reason: 'The largest body of a request, in bytes.' })
  BODY_LIMIT_BYTES!: number;

  @EnvOfPayload()
  EVENT_PAYLOAD_MAX_BYTES!: number;

  @Env(f.int({ min: 1000 }), {
    default: 60_000,
    reason:
      'How long the body of a request may take to arrive. An upload may take longer, as long as it makes progress (BODY_STALL_MS).',
  })
  BODY_TIMEOUT_MS!: number;

  @Env(f.int({ min: 1000 }), {
    default: 30_000,
    reason:
      'How long the body of a request may make no progress before the connection is closed. An upload must send at least 4 KiB in this time.',
  })
  BODY_STALL_MS!: number;

  @Env(f.int({ min: 1000 }), { default: 10_000, reason: 'How long the headers of a request may take to arrive.' })
  HEADER_TIMEOUT_MS!: number;

  @Env(f.int({ min: MIB }), {
    default: 128 * MIB,
    reason: 'Memory for the bodies of all requests in progress in this process, in bytes. Above it, requests get 429.',
  })
  BYTES_IN_FLIGHT!: number;

  @Env(f.int({ min: MIB }), { default: 32 * MIB, reason: 'Part of BYTES_IN_FLIGHT that one Space may use.' })
  BYTES_IN_FLIGHT_PER_SPACE!: number;

  @Env(f.int({ min: 65_536 }), {
    default: 16 * MIB,
    reason: 'Part of BYTES_IN_FLIGHT that all callers without a credential may use together.',
  })
  BYTES_IN_FLIGHT_ANONYMOUS!: number;

  @Env(f.int({ min: 65_536 }), {
    default: 4 * MIB,
    reason: 'Part of BYTES_IN_FLIGHT that one address without a credential may use.',
  })
  BYTES_IN_FLIGHT_PER_ADDRESS!: number;

  @Env(f.int({ min: 1 }), { default: 10_000, reason: 'Open client connections of this process.' })
  CONNECTIONS!: number;

  @Env(f.int({ min: 1 }), {
    default: 200,
    reason:
      'Open connections of one address that have sent no credential. New connections have a second to send one; until then, five times as many are accepted. Behind trusted proxies, open requests of one client are counted instead.',
  })
  ANONYMOUS_CONNECTIONS_PER_ADDRESS!: number;

  @Env(f.int({ min: 1 }), {
    default: 500,
    reason:
      'Open connections of one credential. Above it, the connection that has been idle longest is closed. Behind trusted proxies, open requests are counted instead.',
  })
  CONNECTIONS_PER_CREDENTIAL!: number;

  @Env(f.int({ min: 1 }), {
    default: 2000,
    reason:
      'Open connections of one Space. Above it, the connection that has been idle longest is closed. Behind trusted proxies, open requests are counted instead.',
  })
  CONNECTIONS_PER_SPACE!: number;

  @Env(f.int({ min: MIB }), {
    default: 256 * MIB,
    reason: 'Memory for responses that clients have not read yet, in bytes, for this process.',
  })
  UNREAD_BYTES!: number;

  @Env(f.int({ min: 65_536 }), {
    default: 32 * MIB,
    reason: 'Part of UNREAD_BYTES that one Space, or all Spaces of one payer, may use.',
  })
  UNREAD_BYTES_PER_SPACE!: number;

  @Env(f.int({ min: 1000 }), {
    default: 30_000,
    reason: 'A connection is closed if its client reads nothing for this long while a response waits.',
  })
  UNREAD_STALL_MS!: number;

  @Env(f.int({ min: 1 }), {
    default: 600,
    reason: 'Requests of one credential per minute. Above it, requests get 429.',
  })
  RATE_LIMIT_PER_MINUTE!: number;

  @Env(f.int({ min: 1 }), { default: 6000, reason: 'Requests of one Space per minute. Above it, requests get 429.' })
  SPACE_RATE_LIMIT_PER_MINUTE!: number;

  @Env(f.int({ min: 1 }), {
    default: 600,
    reason: 'Requests of one address per minute that have no credential or an invalid one. Above it, they get 429.',
  })
  ADDRESS_RATE_LIMIT_PER_MINUTE!: number;

  @Env(f.int({ min: 1 }), { default: 50, reason: 'Streams that one credential may have open at once.' })
  STREAMS_PER_CREDENTIAL!: number;

  @Env(f.int({ min: 1 }), {
    default: 1000,
    reason: 'Requests without a stream that one credential may have waiting at a time: turns, and tool calls over MCP.',
  })
  WAITS_PER_CREDENTIAL!: number;

  @Env(f.int({ min: 1 }), {
    default: 2000,
    reason: 'The same for all credentials of one Space (see WAITS_PER_CREDENTIAL).',
  })
  WAITS_PER_SPACE!: number;

  @Env(f.int({ min: 1 }), { default: 8000, reason: 'The same for one gateway process (see WAITS_PER_CREDENTIAL).' })
  WAITS_PER_PROCESS!: number;

  @Env(f.list(f.text()), {
    default: [],
    reason: 'Origins (JSON list) whose pages may call the API. Set it for applications in browsers.',
  })
  CORS_ORIGINS!: string[];

  @Env(f.list(f.text()), {
    default: [],
    reason:
      'Host names (JSON list) under which clients may reach /mcp, in addition to those of the same machine. Set it before MCP clients connect from other machines.',
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
    reason: 'The header `typ` that tokens of OIDC_ISSUER must have (RFC 9068). Some issuers use `JWT`.',
  })
  OIDC_TOKEN_TYP!: string;

  @Env(f.text(), {
    optional: true,
    reason: 'The address of the keys of OIDC_ISSUER. Without it, the platform discovers the address.',
  })
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
