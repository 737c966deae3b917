import { createHmac } from 'node:crypto';
import type { Ctx } from '@switchyard/contracts';

/**
 * For requests whose body holds a secret: a plain hash of it in the table of answers would invite guessing. The newest key
 * comes first. A repeat also finds an answer that was stored under an older key.
 */
export function keyedFingerprint(ctx: Ctx, keys: readonly [Buffer, ...Buffer[]]): Ctx {
  if (!ctx.idempotency) return ctx;
  const { fingerprint: plain } = ctx.idempotency;
  const [newest, ...older] = keys;
  const under = (key: Buffer): string => createHmac('sha256', key).update(plain).digest('base64url');
  const formerFingerprints = older.map(under);
  return { ...ctx, idempotency: { ...ctx.idempotency, fingerprint: under(newest), formerFingerprints } };
}
