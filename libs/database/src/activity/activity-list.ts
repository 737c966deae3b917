import type { Read } from '../transactions/database';
import { isBefore } from '../transactions/keyset-page-condition';
import { type ActivitySource, exactTime } from './activity-source';

export interface ActivityListQuery {
  spaceId: string;
  statuses: readonly string[];
  limit: number;
  /** Only rows of this user. */
  userId: string | null;
  /** Only rows that this user may see; null for all. */
  viewer: string | null;
  from: string | null;
  to: string | null;
  before: { at: string; key: string } | null;
}

const LAST_KEY = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * A page of one kind, newest first. Each status is a range of an index ending in time and key, so every page costs the
 * same, however rare its rows. `row` selects from each row `r`, with `joins` after it.
 */
export function listActivity(
  { table, status, at, user, hidden, lead, audience }: ActivitySource,
  { row, joins = '' }: { row: string; joins?: string },
  query: ActivityListQuery,
): Read {
  const isOfUser = query.userId !== null;
  const leads = lead && !isOfUser ? lead : null;
  const viewer = audience === undefined ? null : query.viewer;
  const params = [
    query.spaceId,
    query.statuses,
    query.before?.at ?? 'infinity',
    query.before?.key ?? LAST_KEY,
    query.from ?? '-infinity',
    query.to ?? 'infinity',
    query.limit,
    ...(isOfUser ? [query.userId] : leads ? [leads.values] : []),
    ...(viewer === null ? [] : [viewer]),
  ];
  const isVisible = viewer === null ? '' : `and (x.${audience} is null or x.${audience} = $${params.length}::uuid)`;
  return {
    name: `list-activity-${isOfUser ? 'of-user' : 'of-space'}${viewer === null ? '' : '-as-seen'}`,
    params,
    sql: `with page as (
       select found.id, found.place from unnest($2::text[]) as statuses (status) ${leads ? 'cross join unnest($8::text[]) as leads (lead)' : ''}
       cross join lateral (
         select x.id, x.${at} as place from ${table} x
          where x.space_id = $1 and x.${status} = statuses.status ${hidden === undefined ? '' : `and not x.${hidden}`} ${isOfUser ? `and x.${user} = $8::uuid` : ''}
            ${leads ? `and x.${leads.column} = leads.lead` : ''} ${isVisible}
            and ${isBefore(`x.${at}`, { at: '$3::timestamptz', id: '$4::uuid', to: '$6::timestamptz' })} and x.${at} >= $5::timestamptz
          order by x.${at} desc, x.id desc limit $7) found
       order by found.place desc, found.id desc limit $7)
     select ${row}, r.id as key, ${exactTime(`r.${at}`)} as at
       from page join ${table} r on r.space_id = $1 and r.id = page.id ${joins} order by page.place desc, page.id desc`,
  };
}

/** As `listActivity`, for rows that have changed. */
export const readActivity = (
  { table, at, hidden }: ActivitySource,
  { row, joins = '' }: { row: string; joins?: string },
  spaceId: string,
  keys: readonly string[],
): Read => ({
  name: 'read-activity',
  params: [spaceId, keys],
  sql: `select ${row}, r.id as key, ${exactTime(`r.${at}`)} as at
          from unnest($2::uuid[]) as wanted (id) join ${table} r on r.space_id = $1 and r.id = wanted.id ${joins}
         ${hidden === undefined ? '' : `where not r.${hidden}`}`,
});
