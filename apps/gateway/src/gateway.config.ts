import { f } from '@switchyard/contracts';
import { Env, ServiceConfig } from '@switchyard/service';

const MIB = 1024 * 1024;

export class GatewayConfig extends ServiceConfig {
  @Env(f.text({ min: 1 }), { default: '127.0.0.1', reason: 'The address of the public port.' })
  GATEWAY_HOST!: string;

  @Env(f.int({ min: 0, max: 65_535 }), { default: 3000, reason: 'The public port.' })
  GATEWAY_PORT!: number;

  @Env(f.bool(), { default: false, reason: 'Whether the routes also answer without /api.' })
  SERVE_AT_ROOT!: boolean;

  @Env(f.int({ min: 1024, max: 16 * MIB }), { default: 10 * MIB, reason: 'The largest body of a request, in bytes.' })
  BODY_LIMIT_BYTES!: number;

  @Env(f.int({ min: 1000 }), {
    default: 60_000,
    reason: 'How long a body may take to arrive; uploads may take longer.',
  })
  BODY_TIMEOUT_MS!: number;

  @Env(f.int({ min: 1000 }), {
    default: 30_000,
    reason: 'An upload that brings less than 4 KiB in so long is cut off.',
  })
  UPLOAD_STALL_MS!: number;

  @Env(f.int({ min: 4, max: 512 }), { default: 64, reason: 'How deep the JSON of a body may be nested.' })
  JSON_DEPTH!: number;

  @Env(f.int({ min: 1 }), { default: 600, reason: 'Requests per minute and credential.' })
  RATE_LIMIT_PER_MINUTE!: number;

  @Env(f.int({ min: 1 }), { default: 6000, reason: 'Requests per minute and Space.' })
  SPACE_RATE_LIMIT_PER_MINUTE!: number;

  @Env(f.int({ min: 1 }), { default: 600, reason: 'Refused or open requests per minute and address.' })
  ADDRESS_RATE_LIMIT_PER_MINUTE!: number;

  @Env(f.int({ min: 1 }), { default: 50, reason: 'Streams that one credential may have open at once.' })
  STREAMS_PER_CREDENTIAL!: number;

  @Env(f.list(f.text()), { default: [], reason: 'Origins (JSON list) whose pages may call the API.' })
  CORS_ORIGINS!: string[];

  @Env(f.list(f.text()), {
    default: [],
    reason: 'Host names (JSON list), beside the loopback ones, under which /mcp may be reached.',
  })
  ALLOWED_HOSTS!: string[];

  @Env(f.int({ min: 0, max: 10 }), { default: 0, reason: 'Proxies in front whose X-Forwarded-For is believed.' })
  TRUSTED_PROXIES!: number;

  @Env(f.int({ min: 0, max: 60_000 }), {
    default: 5000,
    reason: 'How long a verified credential is believed without asking again.',
  })
  CREDENTIAL_CACHE_MS!: number;

  @Env(f.text(), { optional: true, reason: 'The issuer of tokens that are accepted beside our own.' })
  OIDC_ISSUER?: string;

  @Env(f.text(), { optional: true, reason: 'The audience that such tokens must name.' })
  OIDC_AUDIENCE?: string;

  @Env(f.text(), { optional: true, reason: "Where the issuer's keys are; without it they are discovered." })
  OIDC_JWKS_URL?: string;

  @Env(f.text(), {
    optional: true,
    reason: 'The address under which users reach the platform, where it is not the one they called.',
  })
  PUBLIC_URL?: string;
}
