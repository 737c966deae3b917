import type { Database, Read } from '../transactions/database';

const TAKE = `
  with gone as (
    delete from activity_changes where ctid = any(array(
      select ctid from activity_changes where space_id = any($1::uuid[]) limit $2 for update skip locked))
    returning space_id, id)
  select distinct space_id, id from gone`;

const IS_OLD = `until < (select clock_timestamp()) - interval '10 seconds'`;

/** Finds a row if there is an expired watch. */
export const anyOldWatches: Read = {
  name: 'any-old-watches',
  params: [],
  sql: `select 1 from activity_watches where ${IS_OLD} limit 1`,
};

export interface ChangedRow {
  spaceId: string;
  id: string;
}

/** Changed rows of watched Spaces. Nothing is recorded or queried while no Space is watched. */
export const activityChanges = {
  /** Records changes of these Spaces for this long. Gives those whose changes were not being recorded until now. */
  async watch(database: Database, spaceIds: readonly string[], seconds: number): Promise<string[]> {
    const [rows = []] = await database.systemWrite('watch activity', [
      {
        name: 'watch-activity',
        sql: `with recorded as (
                select space_id from activity_watches where space_id = any($1::uuid[]) and until > (select clock_timestamp())),
              noted as (
                insert into activity_watches (space_id, until) select id, clock_timestamp() + make_interval(secs => $2)
                  from unnest($1::uuid[]) as id order by id
                on conflict (space_id) do update set until = excluded.until
                returning space_id)
              select space_id from noted where space_id not in (select space_id from recorded)`,
        params: [spaceIds, seconds],
      },
    ]);
    return rows.map((row) => String(row['spaceId']));
  },

  /** Takes recorded changes; each goes to one process. */
  async take(database: Database, spaceIds: readonly string[], limit: number): Promise<ChangedRow[]> {
    const [rows = []] = await database.systemWrite('take changed activity', [
      { name: 'take-changed-activity', sql: TAKE, params: [spaceIds, limit] },
    ]);
    return rows as unknown as ChangedRow[];
  },

  /** Deletes expired watches and their recorded changes. */
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
