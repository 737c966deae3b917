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
      'The secrets with which API keys are hashed: `2:<base64>,1:<base64>`. New keys use the first; all are accepted.',
  })
  KEY_PEPPERS!: string;

  @Env(f.oneOf(SIGNING_ALGORITHMS), {
    default: 'ES256',
    reason:
      'The algorithm that signs access tokens. Use RS256 only for verifiers that do not support ES256. A change takes effect after an hour.',
  })
  JWT_ALGORITHM!: SigningAlgorithm;

  @Env(f.text({ min: 1, max: 200 }), { default: 'switchyard', reason: 'The claim `iss` of access tokens.' })
  JWT_ISSUER!: string;

  @Env(f.text({ min: 1, max: 200 }), { default: 'switchyard-api', reason: 'The claim `aud` of access tokens.' })
  JWT_AUDIENCE!: string;

  @EnvOfIssuer()
  OIDC_ISSUER?: string;

  @EnvOfAudience()
  OIDC_AUDIENCE?: string;

  @Env(f.int({ min: 60, max: 3600 }), { default: 900, reason: 'How many seconds an access token is valid.' })
  ACCESS_TOKEN_SECONDS!: number;

  @Env(f.int({ min: 1, max: 365 }), { default: 14, reason: 'Days after which an unused refresh token expires.' })
  REFRESH_IDLE_DAYS!: number;

  @Env(f.int({ min: 1, max: 365 }), {
    default: 60,
    reason: 'Days after which a user must sign in again, even if the refresh token was used.',
  })
  REFRESH_MAX_DAYS!: number;

  @Env(f.int({ min: 1, max: 3650 }), {
    default: 90,
    reason: 'Days after which access tokens are signed with a new key.',
  })
  SIGNING_KEY_DAYS!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 5,
    reason:
      'Failed sign-ins per minute for one account from one address. From all addresses together, ten times as many. Above it, sign-ins get 429.',
  })
  LOGIN_FAILURES_PER_MINUTE!: number;

  @Env(f.int({ min: 1, max: 64 }), {
    default: 4,
    reason:
      'Passwords that are hashed at the same time; each uses 19 MiB and one core. At most half of the cores are used, at least one.',
  })
  PASSWORD_HASHES_AT_ONCE!: number;

  @Env(f.int({ min: 3, max: 10_000 }), {
    default: 450,
    reason: 'Password checks that may wait. One address or Space may have a third of them. Above it, sign-ins get 429.',
  })
  PASSWORD_HASHES_WAITING!: number;

  @Env(f.int({ min: 1, max: 720 }), { default: 72, reason: 'Hours for which an invitation is valid.' })
  INVITATION_HOURS!: number;

  @Env(f.int({ min: 1, max: 1_000_000 }), {
    default: 1000,
    reason: 'Members and open invitations that one Space may have.',
  })
  MEMBERS_PER_SPACE_MAX!: number;

  @Env(f.int({ min: 1, max: 1_000_000 }), { default: 10_000, reason: 'Spaces that one account may belong to.' })
  SPACES_PER_USER_MAX!: number;

  @Env(f.int({ min: 0, max: 1_000_000 }), {
    default: 20,
    reason: 'With SPACE_CREATION=MEMBERS: Spaces that one member may create in 24 hours. Operators have no such limit.',
  })
  SPACES_PER_PERSON_AND_DAY!: number;

  @Env(f.int({ min: 0, max: 1_000_000 }), {
    default: 100,
    reason:
      'With SPACE_CREATION=MEMBERS: existing Spaces that one member may have created. Operators have no such limit.',
  })
  SPACES_PER_PERSON!: number;

  @Env(f.int({ min: 0, max: 1_000_000_000_000 }), {
    default: 0,
    reason: 'With SPACE_CREATION=MEMBERS: the initial token balance of a Space that a member created.',
  })
  MEMBER_SPACE_TOKENS!: number;

  @Env(f.int({ min: 0, max: 1_000_000_000_000 }), {
    default: 1_000_000,
    reason:
      'Initial tokens of a Space that an operator creates without `tokens`, and of Spaces from before this was recorded.',
  })
  INITIAL_SPACE_TOKENS!: number;

  @Env(f.int({ min: 1, max: 10_000 }), { default: 200, reason: 'Secrets that one Space may have.' })
  SECRETS_PER_SPACE_MAX!: number;

  @Env(f.int({ min: 1, max: 100_000 }), {
    default: 500,
    reason: 'Active API keys that one user may have in one Space.',
  })
  KEYS_PER_USER_MAX!: number;

  @Env(f.int({ min: 1, max: 100_000 }), {
    default: 200,
    reason: 'Sign-ins that one account may have open in one Space. One more ends the oldest.',
  })
  SIGN_INS_PER_USER_MAX!: number;

  @Env(f.text({ max: 2000 }), {
    default: '',
    reason: 'The address of that server as it is shown to your customers. Without it, the NATS API is off.',
  })
  NATS_API_URL!: string;

  @Env(f.text({ min: 40, max: 40 }), {
    optional: true,
    secret: true,
    reason:
      'An operator key that the service creates at its start with the scope `operator:nats` only, for the process that copies NATS users to your NATS server. To stop using it, revoke the key and remove the setting.',
  })
  NATS_API_OPERATOR_KEY?: string;

  @Env(f.int({ min: 1 }), { default: 6000, reason: 'Requests of one Space per minute. Above it, requests get 429.' })
  SPACE_RATE_LIMIT_PER_MINUTE!: number;

  @Env(f.int({ min: 30, max: 36_500 }), { default: 400, reason: 'Days until a security event is deleted.' })
  SECURITY_EVENTS_RETENTION_DAYS!: number;

  @Env(f.int({ min: 1, max: 36_500 }), {
    default: 90,
    reason: 'Days for which revoked and expired API keys stay in the list of keys.',
  })
  ENDED_KEYS_RETENTION_DAYS!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 50,
    reason: 'The highest limit of concurrent executions that a Space may set for itself.',
  })
  TASK_CONCURRENCY_MAX!: number;

  @Env(f.int({ min: 1, max: 1000 }), {
    default: 50,
    reason: 'The highest limit of concurrent jobs that a Space may set for itself.',
  })
  JOB_CONCURRENCY_MAX!: number;

  @Env(f.oneOf(SPACE_CREATIONS), {
    default: 'OPERATOR',
    reason: 'The users who may create Spaces: operators only, or every member.',
  })
  SPACE_CREATION!: SpaceCreation;

  @Env(f.bool(), {
    default: false,
    reason: 'Whether OWNERs may add tokens to the balance of their own Space. Meant for companies with a single Space.',
  })
  SPACE_OWNERS_MAY_CREDIT!: boolean;

  @Env(f.bool(), {
    default: false,
    reason: 'Whether the first sign-in by OIDC uses an existing account with the same verified e-mail address.',
  })
  OIDC_LINK_BY_EMAIL!: boolean;

  @Env(f.text({ min: 3, max: 254 }), {
    default: 'owner@switchyard.local',
    reason: 'The e-mail address of the first owner account, which the first start creates.',
  })
  BOOTSTRAP_EMAIL!: string;

  @Env(f.text({ min: 12, max: 1024 }), {
    optional: true,
    secret: true,
    isPassword: true,
    reason: 'The password of the first owner account. Without it, the first start generates one and shows it once.',
  })
  BOOTSTRAP_PASSWORD?: string;

  @Env(f.text({ min: 1, max: 200 }), { default: 'Main', reason: 'The name of the Space that the first start creates.' })
  BOOTSTRAP_SPACE!: string;
}
