import { SPACE_CREATIONS, type SpaceCreation, f } from '@switchyard/contracts';
import {
  DatabaseServiceConfig,
  Env,
  EnvOfAudience,
  EnvOfIssuer,
  EnvOfRedis,
  type RedisServiceConfig,
} from '@switchyard/service';
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from './domain/signing-key-plan';

export class KeyConfig extends DatabaseServiceConfig implements RedisServiceConfig {
  @EnvOfRedis()
  REDIS_URL!: string;

  @Env(f.text({ min: 32, max: 4000 }), {
    secret: true,
    reason:
      'Encrypts secrets of Spaces, signing keys and webhook secrets: 32 bytes in base64 or hex, or `2:<new>,1:<old>`.',
  })
  DATA_KEY!: string;

  @Env(f.text({ min: 40 }), {
    secret: true,
    reason:
      'Peppers of stored key digests: `2:<base64>,1:<base64>`. The first is used for new digests, all of them verify.',
  })
  KEY_PEPPERS!: string;

  @Env(f.oneOf(SIGNING_ALGORITHMS), {
    default: 'ES256',
    reason: 'Signs access tokens; RS256 for verifiers that know nothing newer. A change takes effect after an hour.',
  })
  JWT_ALGORITHM!: SigningAlgorithm;

  @Env(f.text({ min: 1, max: 200 }), { default: 'switchyard', reason: 'The `iss` of access tokens.' })
  JWT_ISSUER!: string;

  @Env(f.text({ min: 1, max: 200 }), { default: 'switchyard-api', reason: 'The `aud` of access tokens.' })
  JWT_AUDIENCE!: string;

  @EnvOfIssuer()
  OIDC_ISSUER?: string;

  @EnvOfAudience()
  OIDC_AUDIENCE?: string;

  @Env(f.int({ min: 60, max: 3600 }), { default: 900, reason: 'Life of an access token.' })
  ACCESS_TOKEN_SECONDS!: number;

  @Env(f.int({ min: 1, max: 365 }), { default: 14, reason: 'A refresh token that is not used for so long ends.' })
  REFRESH_IDLE_DAYS!: number;

  @Env(f.int({ min: 1, max: 365 }), { default: 60, reason: 'After so long a person signs in again.' })
  REFRESH_MAX_DAYS!: number;

  @Env(f.int({ min: 1, max: 3650 }), { default: 90, reason: 'How long one key signs access tokens.' })
  SIGNING_KEY_DAYS!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 5,
    reason: 'Failed sign-ins per account, address and minute; ten times as many from all addresses.',
  })
  LOGIN_FAILURES_PER_MINUTE!: number;

  @Env(f.int({ min: 1, max: 64 }), {
    default: 4,
    reason:
      'Password hashes at once; each takes 19 MiB and a core. Never more than half of the cores, and at least one.',
  })
  PASSWORD_HASHES_AT_ONCE!: number;

  @Env(f.int({ min: 3, max: 10_000 }), {
    default: 450,
    reason: 'Password checks that may wait, a third of them of one address or Space; over it 429.',
  })
  PASSWORD_HASHES_WAITING!: number;

  @Env(f.int({ min: 1, max: 720 }), { default: 72, reason: 'How many hours the token of an invitation works.' })
  INVITATION_HOURS!: number;

  @Env(f.int({ min: 1, max: 1_000_000 }), { default: 1000, reason: 'Members and open invitations of one Space.' })
  MEMBERS_PER_SPACE_MAX!: number;

  @Env(f.int({ min: 1, max: 1_000_000 }), { default: 10_000, reason: 'Spaces that one account may belong to.' })
  SPACES_PER_USER_MAX!: number;

  @Env(f.int({ min: 0, max: 1_000_000 }), {
    default: 20,
    reason: 'With SPACE_CREATION=MEMBERS: Spaces that a person who is no operator may make in 24 hours.',
  })
  SPACES_PER_PERSON_AND_DAY!: number;

  @Env(f.int({ min: 0, max: 1_000_000 }), {
    default: 100,
    reason: 'With SPACE_CREATION=MEMBERS: Spaces of a person who is no operator, made by that person and still there.',
  })
  SPACES_PER_PERSON!: number;

  @Env(f.int({ min: 0, max: 1_000_000_000_000 }), {
    default: 0,
    reason: 'Tokens that a Space starts with which a person made who is no operator.',
  })
  MEMBER_SPACE_TOKENS!: number;

  @Env(f.int({ min: 0, max: 1_000_000_000_000 }), {
    default: 1_000_000,
    reason:
      'Initial tokens of a Space that an operator creates without `tokens`, and of Spaces from before this was recorded.',
  })
  INITIAL_SPACE_TOKENS!: number;

  @Env(f.int({ min: 1, max: 10_000 }), { default: 200, reason: 'Secrets of one Space.' })
  SECRETS_PER_SPACE_MAX!: number;

  @Env(f.int({ min: 1, max: 100_000 }), { default: 500, reason: 'Active API keys of one person in one Space.' })
  KEYS_PER_USER_MAX!: number;

  @Env(f.int({ min: 1, max: 100_000 }), {
    default: 200,
    reason: 'Open sign-ins of one account in one Space; one more ends the oldest.',
  })
  SIGN_INS_PER_USER_MAX!: number;

  @Env(f.text({ max: 2000 }), {
    default: '',
    reason: 'Address of the NATS server for the services of companies, as shown to them; empty: the NATS API is off.',
  })
  NATS_API_URL!: string;

  @Env(f.text({ min: 40, max: 40 }), {
    optional: true,
    secret: true,
    reason:
      'The value of an operator key with `operator:nats` alone, which is made at the start, for the process that brings users to that server. To end it, revoke it and remove this.',
  })
  NATS_API_OPERATOR_KEY?: string;

  @Env(f.int({ min: 1 }), { default: 6000, reason: 'Requests per minute and Space.' })
  SPACE_RATE_LIMIT_PER_MINUTE!: number;

  @Env(f.int({ min: 30, max: 36_500 }), { default: 400, reason: 'How long security events are kept.' })
  SECURITY_EVENTS_RETENTION_DAYS!: number;

  @Env(f.int({ min: 1, max: 36_500 }), { default: 90, reason: 'How long revoked and expired keys can be read.' })
  ENDED_KEYS_RETENTION_DAYS!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 50,
    reason: 'The most that a Space may set as its limit of executions side by side.',
  })
  TASK_CONCURRENCY_MAX!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 50,
    reason: 'The most that a Space may set as its limit of jobs side by side.',
  })
  JOB_CONCURRENCY_MAX!: number;

  @Env(f.oneOf(SPACE_CREATIONS), {
    default: 'OPERATOR',
    reason: 'The users who may create Spaces: operators only, or every member.',
  })
  SPACE_CREATION!: SpaceCreation;

  @Env(f.bool(), {
    default: false,
    reason: 'Whether an OWNER may credit tokens to the own Space. For companies with one Space.',
  })
  SPACE_OWNERS_MAY_CREDIT!: boolean;

  @Env(f.bool(), {
    default: false,
    reason: 'Whether a first token of the OIDC issuer finds its accounts by a verified e-mail address.',
  })
  OIDC_LINK_BY_EMAIL!: boolean;

  @Env(f.text({ min: 3, max: 254 }), {
    default: 'owner@switchyard.local',
    reason: 'The OWNER made on the first start.',
  })
  BOOTSTRAP_EMAIL!: string;

  @Env(f.text({ min: 12, max: 1024 }), {
    optional: true,
    secret: true,
    isPassword: true,
    reason: 'The password of that OWNER; without it one is made and shown once.',
  })
  BOOTSTRAP_PASSWORD?: string;

  @Env(f.text({ min: 1, max: 200 }), { default: 'Main', reason: 'The name of the Space made on the first start.' })
  BOOTSTRAP_SPACE!: string;
}
