import type { JsonWebKey } from 'node:crypto';
import { Inject, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { KeySignals, type PublicJwk, type VerificationKeys, serviceCtx } from '@switchyard/contracts';
import { RefreshingCache } from '@switchyard/concurrency';
import { Database, type Tx } from '@switchyard/database';
import { AppError, type Clock, newId, newSigningPair } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { CLOCK, Logger, Workers } from '@switchyard/service';
import { type CryptoKey, type JWK, importJWK } from 'jose';
import { type SigningKeyRow, SigningKeysRepository } from '../db/signing-keys.repository';
import { signingKeyPlace } from '../domain/encryption-contexts';
import { type SigningAlgorithm, type SigningKeyStage, planSigningKeys } from '../domain/signing-key-plan';
import { KeyConfig } from '../key.config';
import { DataEncryption } from '../secrets/data-encryption';

const RELOAD_MS = 60_000;
const ALL = 'all';
const ROTATION_CHECK_MS = 3_600_000;
/** A retired key outlives its last token by this much, for clocks that disagree and caches that are slow. */
const MARGIN_SECONDS = 600;
const ORDER: Record<SigningKeyStage, number> = { CURRENT: 0, NEXT: 1, RETIRING: 2 };

export interface SigningKey {
  kid: string;
  algorithm: SigningAlgorithm;
  privateKey: CryptoKey;
}

interface Loaded {
  /** Null if it cannot be decrypted. */
  signing: SigningKey | null;
  published: PublicJwk[];
  at: number;
}

/** The keys that sign access tokens: kept encrypted in the database, one current, the next published ahead. */
@Injectable()
export class SigningKeys implements OnApplicationBootstrap {
  private readonly cache: RefreshingCache<Loaded>;

  constructor(
    private readonly database: Database,
    private readonly signingKeys: SigningKeysRepository,
    private readonly seal: DataEncryption,
    private readonly config: KeyConfig,
    private readonly bus: Bus,
    private readonly workers: Workers,
    private readonly logger: Logger,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.cache = new RefreshingCache({ freshMs: RELOAD_MS, now: () => clock.now().getTime(), bytesOf: () => 1 });
  }

  onApplicationBootstrap(): void {
    this.workers.every('rotate signing keys', ROTATION_CHECK_MS, () => this.rotateIfDue());
  }

  async current(): Promise<SigningKey> {
    const { signing } = await this.load();
    if (signing) return signing;
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'Sign-ins are not possible: the signing key of access tokens cannot be decrypted. API keys work. Tell the operator.',
    );
  }

  async verificationKeys(): Promise<VerificationKeys> {
    const { published } = await this.load();
    return { issuer: this.config.JWT_ISSUER, audience: this.config.JWT_AUDIENCE, keys: published };
  }

  /** Another replica has changed the set. */
  forget(): void {
    this.cache.delete(ALL);
  }

  /** Brings the set in line with the plan. Several replicas may call it at once: one works, the others find it done. */
  async rotateIfDue(): Promise<void> {
    const changed = await this.database.system('rotate the signing keys', async (tx) => {
      await this.signingKeys.lock(tx);
      return this.applyPlan(tx);
    });
    if (!changed) return;
    this.cache.delete(ALL);
    this.logger.info({}, 'rotated the signing keys');
    this.bus.signal(KeySignals.signingKeysChanged, serviceCtx('key'), {});
  }

  private async applyPlan(tx: Tx): Promise<boolean> {
    const now = this.clock.now();
    const { JWT_ALGORITHM: algorithm, SIGNING_KEY_DAYS: days, ACCESS_TOKEN_SECONDS: tokenSeconds } = this.config;
    const plan = planSigningKeys(await this.signingKeys.list(tx), { algorithm, lifeMs: days * 86_400_000 }, now);
    if (plan.drop.length > 0) await this.signingKeys.drop(tx, plan.drop);
    if (plan.retire !== null) {
      const retireAt = new Date(now.getTime() + (tokenSeconds + MARGIN_SECONDS) * 1000).toISOString();
      await this.signingKeys.retire(tx, plan.retire, retireAt);
    }
    if (plan.promote !== null) await this.signingKeys.promote(tx, plan.promote);
    if (plan.createCurrent) await this.create(tx, 'CURRENT');
    if (plan.createNext) await this.create(tx, 'NEXT');
    return plan.drop.length > 0 || plan.retire !== null || plan.createCurrent || plan.createNext;
  }

  private async create(tx: Tx, stage: SigningKeyStage): Promise<void> {
    const algorithm = this.config.JWT_ALGORITHM;
    const kid = newId();
    const { publicJwk, privateJwk } = await newSigningPair(algorithm);
    await this.signingKeys.insert(tx, {
      kid,
      algorithm,
      stage,
      publicJwk: publicJwkOf(publicJwk, kid, algorithm),
      sealedPrivateJwk: this.seal.seal(JSON.stringify(privateJwk), signingKeyPlace(kid)),
    });
  }

  private load(): Loaded | Promise<Loaded> {
    return this.cache.get(ALL, () => this.read(this.clock.now().getTime()));
  }

  private async read(now: number): Promise<Loaded> {
    let rows = await this.rows();
    if (!rows.some((row) => row.stage === 'CURRENT' && row.algorithm === this.config.JWT_ALGORITHM)) {
      await this.rotateIfDue();
      rows = await this.rows();
    }
    const current = rows.find((row) => row.stage === 'CURRENT');
    if (!current) throw new Error('there is no current signing key');
    const published = [...rows].sort((a, b) => ORDER[a.stage] - ORDER[b.stage]).map((row) => row.publicJwk);
    return { signing: await this.opened(current), published, at: now };
  }

  /** Verification needs no private key, so one that cannot be decrypted ends no session before its time. */
  private async opened({ kid, algorithm, sealedPrivateJwk }: SigningKeyRow): Promise<SigningKey | null> {
    try {
      const jwk = JSON.parse(this.seal.open(sealedPrivateJwk, signingKeyPlace(kid))) as JWK;
      return { kid, algorithm, privateKey: (await importJWK(jwk, algorithm)) as CryptoKey };
    } catch (error) {
      this.logger.error(
        { kid, err: error },
        'the current signing key cannot be decrypted: sign-ins and refreshes of access tokens answer 503',
      );
      return null;
    }
  }

  private rows(): Promise<SigningKeyRow[]> {
    return this.database.system('read the signing keys', (tx) => this.signingKeys.list(tx));
  }
}

/** Field by field: a private half must never slip into what is published. */
const publicJwkOf = (jwk: JsonWebKey, kid: string, algorithm: SigningAlgorithm): PublicJwk =>
  algorithm === 'ES256'
    ? { kty: 'EC', kid, alg: algorithm, use: 'sig', crv: 'P-256', x: jwk.x, y: jwk.y }
    : { kty: 'RSA', kid, alg: algorithm, use: 'sig', n: jwk.n, e: jwk.e };
