import { type Ctx, PLATFORM_EVENTS, roleAtLeast } from '@switchyard/contracts';

/** Of envelopes that only ADMIN and up may see. No user has this id. */
export const ADMINS = '00000000-0000-0000-0000-000000000000';

/** The user that sees an envelope, as ADMIN and up do; null for every member. */
export function audienceOf(event: string, userId: string | null): string | null {
  const audience = PLATFORM_EVENTS[event]?.audience ?? 'MEMBERS';
  if (audience === 'MEMBERS') return null;
  return audience === 'PERSON' ? (userId ?? ADMINS) : ADMINS;
}

/** Whose envelopes a caller may see beside those of every member; null for all. */
export const viewerOf = ({ role, userId }: Pick<Ctx, 'role' | 'userId'>): string | null =>
  roleAtLeast(role, 'ADMIN') ? null : (userId ?? NO_VIEWER);

const NO_VIEWER = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** `viewer` is the parameter with the viewer's id. */
export const isVisibleSql = (viewer: string): string =>
  `(${viewer}::uuid is null or audience is null or audience = ${viewer})`;
