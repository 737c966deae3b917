import { f } from '@switchyard/contracts';
import { DatabaseServiceConfig, Env } from '@switchyard/service';
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from './domain/signing-key-plan';

export class KeyConfig extends DatabaseServiceConfig {
  @Env(f.text({ min: 43, max: 44 }), {
    secret: true,
    reason: 'Encrypts signing keys and webhook secrets in the database: 32 bytes in base64.',
  })
  DATA_KEY!: string;

  @Env(f.text({ min: 40 }), {
    secret: true,
    reason: 'Peppers of stored key digests, newest version first: `2:<base64>,1:<base64>`.',
  })
  KEY_PEPPERS!: string;

  @Env(f.oneOf(SIGNING_ALGORITHMS), {
    default: 'EdDSA',
    reason: 'Signs access tokens; RS256 for verifiers that know nothing newer.',
  })
  JWT_ALGORITHM!: SigningAlgorithm;

  @Env(f.text({ min: 1, max: 200 }), { default: 'switchyard', reason: 'The `iss` of access tokens.' })
  JWT_ISSUER!: string;

  @Env(f.text({ min: 1, max: 200 }), { default: 'switchyard-api', reason: 'The `aud` of access tokens.' })
  JWT_AUDIENCE!: string;

  @Env(f.int({ min: 60, max: 3600 }), { default: 900, reason: 'Life of an access token.' })
  ACCESS_TOKEN_SECONDS!: number;

  @Env(f.int({ min: 1, max: 365 }), { default: 14, reason: 'A refresh token that is not used for so long ends.' })
  REFRESH_IDLE_DAYS!: number;

  @Env(f.int({ min: 1, max: 365 }), { default: 60, reason: 'After so long a person signs in again.' })
  REFRESH_MAX_DAYS!: number;

  @Env(f.int({ min: 1, max: 3650 }), { default: 90, reason: 'How long one key signs access tokens.' })
  SIGNING_KEY_DAYS!: number;

  @Env(f.int({ min: 1, max: 1000 }), { default: 5, reason: 'Failed sign-ins per account and minute.' })
  LOGIN_FAILURES_PER_MINUTE!: number;

  @Env(f.int({ min: 1, max: 10_000 }), { default: 30, reason: 'Key validations per caller and minute.' })
  KEY_VALIDATIONS_PER_MINUTE!: number;

  @Env(f.bool(), {
    default: true,
    reason: 'Whether a first token of the OIDC issuer finds its person by a verified e-mail address.',
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
