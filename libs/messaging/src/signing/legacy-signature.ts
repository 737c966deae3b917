import { KeyObject, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { Identity } from '@switchyard/contracts';
import { upToEntries } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';
import { invalidSignature } from './invalid-signature';

/**
 * Signature of the previous version: it covers only the identity, so it fits any message from this sender to that
 * receiver.
 */
export interface UnboundSeal {
  iss: string;
  aud: string;
  exp: number;
  sig: string;
}

const CALL_LIFE_MS = 60_000;
const SKEW_MS = 30_000;

const keyOf = (x: string, d?: string): KeyObject => {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x, ...(d ? { d } : {}) };
  return d ? createPrivateKey({ key: jwk, format: 'jwk' }) : createPublicKey({ key: jwk, format: 'jwk' });
};

const sealedText = (identity: Identity, seal: Omit<UnboundSeal, 'sig'>): string =>
  JSON.stringify([
    seal.iss,
    seal.aud,
    seal.exp,
    identity.spaceId,
    identity.userId,
    identity.role,
    identity.scopes,
    identity.credentialId,
    identity.credentialType,
    identity.applicationId,
  ]);

const identityText = (identity: Identity, aud: string): string => sealedText(identity, { iss: '', aud, exp: 0 });

/** Only during an upgrade from the previous version: see `BUS_UNBOUND_SEALS_UNTIL`. */
export class UnboundSeals {
  private readonly privateKey: KeyObject;
  private readonly publicKeys = new Map<string, KeyObject>();
  private readonly made = new LRUCache<string, UnboundSeal>(upToEntries(5000));
  private readonly checked = new LRUCache<string, true>(upToEntries(20_000));

  constructor(
    private readonly service: string,
    privateKey: string,
    publicKeys: Readonly<Record<string, string>>,
  ) {
    const own = publicKeys[service];
    if (!own) throw new Error(`SERVICE_PUBLIC_KEYS has no key of ${service}`);
    this.privateKey = keyOf(own, privateKey);
    for (const [name, key] of Object.entries(publicKeys)) this.publicKeys.set(name, keyOf(key));
  }

  seal(identity: Identity, aud: string, lifeMs = CALL_LIFE_MS): UnboundSeal {
    const key = identityText(identity, aud);
    const now = Date.now();
    const cached = this.made.get(key);
    if (cached && cached.exp - now > lifeMs / 2) return cached;
    const head = { iss: this.service, aud, exp: now + lifeMs };
    const sig = sign(null, Buffer.from(sealedText(identity, head)), this.privateKey).toString('base64url');
    const seal = { ...head, sig };
    this.made.set(key, seal);
    return seal;
  }

  /** Throws unless a known service signed this identity for `aud` recently. */
  check(identity: Identity, seal: UnboundSeal | undefined, aud: string): void {
    if (!seal || seal.aud !== aud || typeof seal.exp !== 'number' || seal.exp + SKEW_MS < Date.now())
      throw invalidSignature();
    const text = sealedText(identity, seal);
    const key = `${seal.sig}${text}`;
    if (this.checked.has(key)) return;
    const publicKey = this.publicKeys.get(seal.iss);
    if (!publicKey || !verify(null, Buffer.from(text), publicKey, Buffer.from(seal.sig, 'base64url')))
      throw invalidSignature();
    this.checked.set(key, true);
  }
}
