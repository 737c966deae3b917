import {
  ACTIVITY_KINDS,
  ACTIVITY_RULES,
  type ActivityEntry,
  type ActivityKind,
  type Ctx,
  hasScope,
  roleAtLeast,
} from '@switchyard/contracts';

export interface ActivityQuery {
  kind?: readonly ActivityKind[];
  status?: readonly string[];
  userId?: string;
}

/** The kinds that were asked for and whose scope the caller has, each with the states that were asked for. */
export function readableKinds(ctx: Pick<Ctx, 'scopes'>, query: ActivityQuery): Map<ActivityKind, string[]> {
  const kinds = new Map<ActivityKind, string[]>();
  for (const kind of query.kind ?? ACTIVITY_KINDS) {
    const { scope, statuses } = ACTIVITY_RULES[kind];
    const allowed = statuses.filter((status) => query.status?.includes(status) ?? true);
    if (hasScope(ctx.scopes, scope) && allowed.length > 0) kinds.set(kind, allowed);
  }
  return kinds;
}

/** Turns and jobs are shown to their maker, emissions that have an audience to it, and all to ADMIN and up. */
export function maySee(
  ctx: Pick<Ctx, 'role' | 'userId'>,
  { kind, userId, audience = null }: Pick<ActivityEntry, 'kind' | 'userId' | 'audience'>,
): boolean {
  if (roleAtLeast(ctx.role, 'ADMIN')) return true;
  if (audience !== null && audience !== ctx.userId) return false;
  return !ACTIVITY_RULES[kind].isPrivate || (userId !== null && userId === ctx.userId);
}
