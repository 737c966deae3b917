import { createHmac } from 'node:crypto';
import type { Ctx } from '@switchyard/contracts';

/**
 * For requests whose body holds a secret: a plain hash of it in the table of answers would invite guessing. The newest key
 * comes first. A repeat also finds an answer that was stored under an older key, or by a version that hashed plainly.
 */
export function keyedFingerprint(ctx: Ctx, keys: readonly [Buffer, ...Buffer[]]): Ctx {
  if (!ctx.idempotency) return ctx;
  const { fingerprint: plain, formerFingerprints: asSent = [] } = ctx.idempotency;
  const [newest, ...older] = keys;
  const under = (key: Buffer, fingerprint = plain): string =>
    createHmac('sha256', key).update(fingerprint).digest('base64url');
  // A process of the version before stores the digest as it was sent.
  const sent = asSent.flatMap((fingerprint) => keys.map((key) => under(key, fingerprint)));
  const formerFingerprints = [...older.map((key) => under(key)), plain, ...sent];
  return { ...ctx, idempotency: { ...ctx.idempotency, fingerprint: under(newest), formerFingerprints } };
}
