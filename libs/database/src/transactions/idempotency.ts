import { AppError } from '@switchyard/kernel';
import { Ctx, Idempotency, requireSpace } from '@switchyard/contracts';
import type { Tx } from './transaction';

export interface OnceOptions {
  /** Fields that are only returned once: a replay omits them. */
  secretFields?: readonly string[];
  keepHours?: number;
}

interface IdempotencyScope {
  spaceId: string;
  actor: string;
  route: string;
  key: string;
}

/** `jsonb` reorders fields, so the reply is stored as text. */
interface StoredReply {
  $written: string;
}

type Claim<T> = { kept: true; answer: T } | { kept: false; scope: IdempotencyScope };

const actorOf = (ctx: Ctx): string => ctx.applicationId ?? ctx.userId ?? ctx.credentialId ?? 'nobody';

const scopeOf = (ctx: Ctx, { route, key }: Idempotency): IdempotencyScope => ({
  spaceId: requireSpace(ctx),
  actor: actorOf(ctx),
  route,
  key,
});

async function findAnswer<T>(
  tx: Tx,
  scope: IdempotencyScope,
  { fingerprint, formerFingerprints }: Idempotency,
): Promise<{ answer: T } | null> {
  const row = await tx.one<{ fingerprint: string; answer: StoredReply }>(
    'select fingerprint, answer from idempotency where space_id = $1 and actor = $2 and route = $3 and key = $4 and expires_at > (select clock_timestamp())',
    [scope.spaceId, scope.actor, scope.route, scope.key],
  );
  if (!row) return null;
  if (row.fingerprint !== fingerprint && formerFingerprints?.includes(row.fingerprint) !== true)
    throw new AppError('IDEMPOTENCY_CONFLICT', 'This idempotency key was used with another body. Use a new key.');
  return { answer: JSON.parse(row.answer.$written) as T };
}

/**
 * The stored reply of the caller's idempotency key, if any. For work that calls other services before the transaction
 * in which `Database.once` stores its reply.
 */
export async function earlierAnswer<T>(tx: Tx, ctx: Ctx): Promise<{ answer: T } | null> {
  if (!ctx.idempotency) return null;
  const stored = await findAnswer<T>(tx, scopeOf(ctx, ctx.idempotency), ctx.idempotency);
  if (stored) ctx.answer.replayed = true;
  return stored;
}

/** Does the work in `tx`, unless the caller's idempotency key has an answer: the same key and body get that one again. */
export async function answerOnce<T extends object>(
  tx: Tx,
  ctx: Ctx,
  work: (tx: Tx) => Promise<T>,
  options: OnceOptions = {},
): Promise<T> {
  if (!ctx.idempotency) return work(tx);
  const claim: Claim<T> = await claimKey<T>(tx, ctx, ctx.idempotency, options);
  if (claim.kept) {
    ctx.answer.replayed = true;
    return claim.answer;
  }
  const answer = await work(tx);
  await keepAnswer(tx, claim.scope, answer, options);
  return answer;
}

/**
 * Claims the key for this transaction. A repeat while the first request runs is refused; later ones get the stored
 * reply, or a refusal if the body differs.
 */
async function claimKey<T>(tx: Tx, ctx: Ctx, idempotency: Idempotency, options: OnceOptions): Promise<Claim<T>> {
  const scope = scopeOf(ctx, idempotency);
  const lock = `${scope.spaceId}/${scope.actor}/${scope.route}/${scope.key}`;
  const leased = await tx.one<{ taken: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 7)) as taken',
    [lock],
  );
  if (!leased?.taken) {
    throw new AppError(
      'REQUEST_IN_PROGRESS',
      'The first request with this idempotency key is still running. Try again shortly.',
      { retryAfterSeconds: 1 },
    );
  }
  const stored = await findAnswer<T>(tx, scope, idempotency);
  if (stored) return { kept: true, answer: stored.answer };
  await tx.run(
    `insert into idempotency (space_id, actor, route, key, fingerprint, expires_at)
     values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(hours => $6))
     on conflict (space_id, actor, route, key) do update set fingerprint = excluded.fingerprint, answer = null, expires_at = excluded.expires_at`,
    [scope.spaceId, scope.actor, scope.route, scope.key, idempotency.fingerprint, options.keepHours ?? 24],
  );
  return { kept: false, scope };
}

async function keepAnswer(tx: Tx, scope: IdempotencyScope, answer: object, options: OnceOptions): Promise<void> {
  const secret = new Set(options.secretFields ?? []);
  const shown = Object.fromEntries(Object.entries(answer).filter(([name]) => !secret.has(name)));
  await tx.run('update idempotency set answer = $5 where space_id = $1 and actor = $2 and route = $3 and key = $4', [
    scope.spaceId,
    scope.actor,
    scope.route,
    scope.key,
    JSON.stringify({ $written: JSON.stringify(shown) } satisfies StoredReply),
  ]);
}
