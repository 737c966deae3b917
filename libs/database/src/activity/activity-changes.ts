import type { Database, Read } from '../transactions/database';

const TAKE = `
  with gone as (
    delete from activity_changes where ctid = any(array(
      select ctid from activity_changes where space_id = any($1::uuid[]) limit $2 for update skip locked))
    returning space_id, id)
  select distinct space_id, id from gone`;

const IS_OLD = `until < (select clock_timestamp()) - interval '10 seconds'`;

/** Finds a row if there is a watch that was not renewed in time. */
export const anyOldWatches: Read = {
  name: 'any-old-watches',
  params: [],
  sql: `select 1 from activity_watches where ${IS_OLD} limit 1`,
};

export interface ChangedRow {
  spaceId: string;
  id: string;
}

/** Which rows of watched Spaces have changed. Nothing is noted, and nothing is asked, while nobody watches. */
export const activityChanges = {
  /** Notes changes of these Spaces for so long. */
  async watch(database: Database, spaceIds: readonly string[], seconds: number): Promise<void> {
    await database.systemWrite('watch activity', [
      {
        name: 'watch-activity',
        sql: `insert into activity_watches (space_id, until) select id, clock_timestamp() + make_interval(secs => $2)
                from unnest($1::uuid[]) as id order by id
              on conflict (space_id) do update set until = excluded.until`,
        params: [spaceIds, seconds],
      },
    ]);
  },

  /** Takes the changes that have been noted; each is taken by one process. */
  async take(database: Database, spaceIds: readonly string[], limit: number): Promise<ChangedRow[]> {
    const [rows = []] = await database.systemWrite('take changed activity', [
      { name: 'take-changed-activity', sql: TAKE, params: [spaceIds, limit] },
    ]);
    return rows as unknown as ChangedRow[];
  },

  /** Ends watches that nobody has renewed, with what was noted for them. */
  async endOld(database: Database): Promise<void> {
    await database.systemWrite('end old watches', [
      {
        name: 'end-old-watches',
        sql: `with ended as (delete from activity_watches where ${IS_OLD} returning space_id)
              delete from activity_changes c using ended where c.space_id = ended.space_id`,
        params: [],
      },
    ]);
  },
};
