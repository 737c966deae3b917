import type { Database, Read } from '../transactions/database';
import type { Tx } from '../transactions/transaction';
import { ENDED_IN_LONG_LEASE, ENDED_PROCESS, ENDING, noteEndedProcesses, processOf } from './ended-processes';
import { type LossOfWork, TRIAL, isLongSeries, isSeries, isTrial, tryLosses } from './trials';

/** Losses after which work is given up: one alongside other work, one alone. */
export const LOSSES_MAX = 2;
/** Older losses do not count. */
export const LOSSES_COUNT_FOR = `interval '24 hours'`;
/** How often a process renews its marks. */
export const RENEW_SECONDS = 10;
/** A mark that was not renewed for this long counts as lost, if nothing else is known. */
export const SILENT_SECONDS = 30;
const SILENT = `interval '${SILENT_SECONDS} seconds'`;

/** Work in progress without a lease. */
export interface RunningWork {
  worker: string;
  /** A process runs one item at a time in each slot. */
  slot: string;
  kind: string;
  ids: readonly string[];
  /** It was lost once, and runs without other such work. */
  isAlone?: boolean;
}

/** Workers whose work may be lost. */
export interface EndedWorkers {
  /** Processes that have certainly ended. */
  ended: readonly string[];
  /** The caller. */
  own: string;
  /** Whether workers without recent renewals count too. */
  isSilenceLoss: boolean;
}

/** Slots in use by a process. */
interface ActiveSlots {
  worker: string;
  slots: readonly string[];
}

export interface LostWorkRow {
  kind: string;
  id: string;
  /** The id in the API, if different; not unique across Spaces. */
  shownId?: string | null;
  spaceId: string | null;
  losses: number;
  at: string;
}

/**
 * SQL: the worker's process ended with other work too: some of it is still marked as running, or was counted as lost
 * before. Marks are short (a transaction), so the marked work is to blame rather than longer leases. During a long
 * series of losses of `trial`, fresh work excuses nothing. Requests excuse one loss, but not of `isLong` work.
 */
export const endedInOtherWork = (
  worker: string,
  trial: string,
  { isLong = false, isLongLease = false } = {},
): string => `coalesce(
  exists (select 1 from running_work marked where marked.kind <> '${PROCESS}' and ${processOf('marked.worker')} = ${processOf(worker)}
    and (marked.kind <> '${REQUESTS}' or not ${isLong ? 'true' : isSeries(trial)}))
  or exists (select 1 from lost_work other where other.kind <> '${PROCESS}' and other.lost_by = ${processOf(worker)}
    and other.lost_at > (select clock_timestamp()) - ${ENDING}${isLongLease ? '' : ` and other.kind <> '${ENDED_IN_LONG_LEASE}'`}
    and (other.kind not in ('${ENDED_PROCESS}', '${ENDED_IN_LONG_LEASE}') or other.losses > 1
      or not case when other.losses = 0 then ${isLong ? 'true' : isSeries(trial)} else ${isLongSeries(trial)} end)), false)`;

/** Mark of the process itself, from its start to its shutdown. */
export const PROCESS = 'process';
/** Mark of a process whose requests run beside work that was lost: they may be what ends it, and leave no other mark. */
export const REQUESTS = 'requests';
const NO_WORK = `('${PROCESS}', '${REQUESTS}')`;
/** While repeats from a crashed process may arrive. */
const CAREFUL_FOR = `interval '15 minutes'`;
/** Longer than the renewal interval of a live process. */
const STALE_AFTER = `interval '15 seconds'`;

/** SQL: a process of this service crashed recently, or has stopped renewing. */
export const processCrashed = `(
  exists (select 1 from lost_work where kind = '${PROCESS}' and lost_at > (select clock_timestamp()) - ${CAREFUL_FOR})
  or exists (select 1 from running_work where kind = '${PROCESS}' and at < (select clock_timestamp()) - ${STALE_AFTER}))`;

const MARKED = 'marked work';

/**
 * SQL: fresh work that is marked waits, because marked work was lost and no loss of it is explained yet: it runs alone.
 * For a limited time, and only while there is such work.
 */
export const isQuiet = `(${isTrial(MARKED)} and exists (
  select 1 from lost_work suspect where suspect.given_up_at is null and suspect.kind not in ('${PROCESS}', '${ENDED_PROCESS}', '${ENDED_IN_LONG_LEASE}')
    and suspect.kind not like '${TRIAL}%'
    and suspect.lost_at > (select clock_timestamp()) - ${LOSSES_COUNT_FOR}))`;

/**
 * SQL: this process has something marked beside which a suspect must not begin: another suspect, or anything while the
 * losses of marked work are not explained. `slot` is that of the suspect.
 */
export const hasOtherMarks = (worker: string, slot: string): string => `exists (
  select 1 from running_work own where own.worker = ${worker} and own.kind not in ${NO_WORK} and own.slot <> ${slot}
    and (own.is_alone or ${isTrial(MARKED)}))`;

/** SQL, a statement of its own before one that looks: two suspects must not each see that no other runs. */
export const ONE_SUSPECT = `select pg_advisory_xact_lock(74005, hashtext(current_schema() || 'suspect work'))`;

const SHOWN_ID = 'coalesce(shown_id, id)';

/** Newest first. */
export interface LostWorkPage {
  limit: number;
  kind?: string;
  beforeAt?: string;
  beforeId?: string;
}

/** A process that ended in its work. */
export interface EndedProcess {
  /** Null if its worker's name does not say it. */
  process: string | null;
  /** The work was lost before. Null for requests. */
  isSuspect: boolean | null;
}

/** A mark of a process that has ended. */
interface EndedMark {
  worker: string;
  kind: string;
  ids: string[];
  isAlone: boolean;
  process: string | null;
  isSeries: boolean;
  isLongSeries: boolean;
}

/** Whether the other mark, of the same process, may as well be what ended it. */
const mayExplain = (mark: EndedMark, other: EndedMark): boolean =>
  other !== mark &&
  other.worker === mark.worker &&
  other.kind !== PROCESS &&
  (other.isAlone || !(other.kind === REQUESTS ? mark.isSeries : mark.isLongSeries));

/** Unleased work that no running process is working on. */
const isUnmarked = (kind: string): string => `not exists (
  select 1 from running_work running where running.kind = '${kind}' and lost_work.id = any(running.ids))`;

/** SQL of the caller's own mark: worker and slot. */
interface OwnMark {
  worker: string;
  slot: string;
}

/**
 * SQL: ids of a kind that are in progress, or run alone from now on. `own` excludes the mark that the caller is about
 * to replace, which may be left over from a failed removal.
 */
export const setApart = (kind: string, own?: OwnMark): string => `array(
  select unnest(ids) from running_work where kind = '${kind}'${
    own ? ` and (slot = 'alone ${kind}' or (slot = ${own.slot} and worker <> ${own.worker}))` : ''
  }
  union all select id from lost_work where kind = '${kind}' and given_up_at is null)`;

/**
 * Counts the losses of work, by id: its process ended without releasing it. Work that was lost once runs alone, and
 * only a loss while alone counts a second time, as other work may have been to blame.
 */
export class LostWork {
  constructor(private readonly database: Database) {}

  readonly anyRunningInOthers = (worker: string): Read => ({
    name: 'any-running-elsewhere',
    params: [worker],
    sql: 'select 1 from running_work where worker <> $1 limit 1',
  });

  anySuspect(kind: string): Read {
    return {
      name: `any-suspect-${kind}`,
      params: [],
      sql: `select 1 from lost_work where kind = '${kind}' and given_up_at is null limit 1`,
    };
  }

  readonly begin = ({ worker, slot, kind, ids, isAlone = false }: RunningWork): Read => ({
    name: 'begin-work',
    params: [worker, slot, kind, ids, isAlone],
    sql: `insert into running_work (worker, slot, kind, ids, is_alone) values ($1, $2, $3, $4, $5)
          on conflict (worker, slot) do update set kind = $3, ids = $4, is_alone = $5, at = clock_timestamp()`,
  });

  /** As `begin`, unless its slot has another mark by now. */
  readonly restore = ({ worker, slot, kind, ids, isAlone = false }: RunningWork): Read => ({
    name: 'restore-work',
    params: [worker, slot, kind, ids, isAlone],
    sql: `insert into running_work (worker, slot, kind, ids, is_alone) values ($1, $2, $3, $4, $5) on conflict do nothing`,
  });

  readonly end = ({ worker, slot }: Pick<RunningWork, 'worker' | 'slot'>): Read => ({
    name: 'end-work',
    params: [worker, slot],
    sql: 'delete from running_work where worker = $1 and slot = $2',
  });

  /** Renews the marks of these slots. */
  readonly renew = ({ worker, slots }: ActiveSlots): Read => ({
    name: 'renew-work',
    params: [worker, slots],
    sql: 'update running_work set at = clock_timestamp() where worker = $1 and slot = any($2::text[]) returning slot',
  });

  /** Marks of this process that could not be removed when their work ended, except recent ones. */
  readonly sweep = ({ worker, slots }: ActiveSlots): Read => ({
    name: 'sweep-work',
    params: [worker, slots],
    sql: `delete from running_work where worker = $1 and slot <> all($2::text[])
            and at < (select clock_timestamp()) - make_interval(secs => ${RENEW_SECONDS})`,
  });

  /** Work that ends with a regular shutdown is not lost. */
  async endAll(worker: string): Promise<void> {
    await this.database.systemWrite('end the marks of a process', [
      { sql: 'delete from running_work where worker = $1', params: [worker] },
    ]);
  }

  async workers(tx: Tx): Promise<string[]> {
    const rows = await tx.query<{ worker: string }>('select distinct worker from running_work');
    return rows.map(({ worker }) => worker);
  }

  /**
   * Counts the unfinished work of ended processes, and with `isSilenceLoss` of silent ones; returns work that was lost
   * too often. Of a process with several marks, none explains its end: a suspect counts its second loss
   * only if nothing else was marked; after several such losses, if no other suspect was.
   */
  async countLosses(
    tx: Tx,
    { ended, own, isSilenceLoss }: EndedWorkers,
  ): Promise<{ counted: { kind: string; losses: number }[]; tooOften: Omit<LostWorkRow, 'at' | 'spaceId'>[] }> {
    const marks = await tx.query<EndedMark>(
      `delete from running_work
        where worker <> $2 and (worker = any($1) or ($3 and not exists (
          select 1 from running_work young where young.worker = running_work.worker and young.at >= (select clock_timestamp()) - ${SILENT})))
       returning worker, kind, ids, is_alone, ${processOf('worker')} as process,
         ${isSeries(MARKED)} as is_series, ${isLongSeries(MARKED)} as is_long_series`,
      [ended, own, isSilenceLoss],
    );
    const counted: { kind: string; losses: number }[] = [];
    const tooOften: Omit<LostWorkRow, 'at' | 'spaceId'>[] = [];
    const losses: LossOfWork[] = [];
    const noted: EndedProcess[] = [];
    for (const mark of marks) {
      const { kind, ids, isAlone, process } = mark;
      const isBlamed = isAlone && marks.filter((other) => mayExplain(mark, other)).length === 0;
      const rows = await this.lose(tx, { kind, ids, wereAlone: isBlamed });
      counted.push({ kind, losses: rows.length });
      if (kind === PROCESS) continue;
      noted.push({ process, isSuspect: kind === REQUESTS ? null : true });
      if (kind === REQUESTS) continue;
      losses.push({ isSuspect: isAlone, isBlamed });
      tooOften.push(...rows.filter((row) => row.losses >= LOSSES_MAX));
    }
    await this.noteEnded(tx, noted);
    await tryLosses(tx, MARKED, losses);
    return { counted, tooOften };
  }

  /** Adds a loss to each. */
  async lose(
    tx: Tx,
    { kind, ids, wereAlone }: { kind: string; ids: readonly string[]; wereAlone: boolean },
  ): Promise<Omit<LostWorkRow, 'at' | 'spaceId'>[]> {
    return tx.query(
      `insert into lost_work as known (kind, id, losses) select $1, id, 1 from unnest($2::uuid[]) id order by id
       on conflict (kind, id) do update set lost_at = clock_timestamp(), given_up_at = null,
         losses = case when known.given_up_at is not null or known.lost_at < (select clock_timestamp()) - ${LOSSES_COUNT_FOR} then 1
           when $3 then known.losses + 1 else known.losses end
       returning kind, id, losses`,
      [kind, ids, wereAlone],
    );
  }

  /** For work of them that is counted later. */
  async noteEnded(tx: Tx, ended: readonly EndedProcess[]): Promise<void> {
    if (ended.length === 0) return;
    await tx.run(noteEndedProcesses('unnest($1::text[], $2::bool[]) as ended (process, is_suspect)'), [
      ended.map(({ process }) => process),
      ended.map(({ isSuspect }) => isSuspect),
    ]);
  }

  /**
   * Claims the suspect work of a kind that waited longest, and marks it as running alone. Null while another one of the
   * kind runs, or while this process has marks of other work that would run at the same time.
   */
  async takeSuspect(tx: Tx, kind: string, worker: string, slot: string): Promise<string | null> {
    await tx.run(ONE_SUSPECT);
    const row = await tx.one<{ id: string }>(
      `select id from lost_work where kind = $1 and given_up_at is null and ${isUnmarked(kind)}
         and not exists (select 1 from running_work running where running.kind = $1 and running.is_alone)
         and not ${hasOtherMarks('$2', '$3')}
       order by lost_at limit 1 for update skip locked`,
      [kind, worker, slot],
    );
    if (!row) return null;
    await tx.statement(this.begin({ worker, slot, kind, ids: [row.id], isAlone: true }));
    return row.id;
  }

  /** Finished or deleted: resets its losses. */
  async reset(tx: Tx, kind: string, id: string): Promise<void> {
    await tx.run('delete from lost_work where kind = $1 and id = $2', [kind, id]);
  }

  /** Moves it to the end of the suspects. */
  async putLast(tx: Tx, kind: string, id: string): Promise<void> {
    await tx.run('update lost_work set lost_at = clock_timestamp() where kind = $1 and id = $2', [kind, id]);
  }

  async lossesOf(tx: Tx, kind: string, id: string): Promise<number> {
    const row = await tx.one<{ losses: number }>(
      `select losses from lost_work where kind = $1 and id = $2 and lost_at > (select clock_timestamp()) - ${LOSSES_COUNT_FOR}`,
      [kind, id],
    );
    return row?.losses ?? 0;
  }

  /** Lists it for operators as given up. */
  async giveUp(tx: Tx, rows: readonly Omit<LostWorkRow, 'at'>[]): Promise<void> {
    for (const { kind, id, shownId = null, spaceId, losses } of rows)
      await tx.run(
        `insert into lost_work (kind, id, space_id, losses, given_up_at, shown_id) values ($1, $2, $3, $4, clock_timestamp(), $5)
         on conflict (kind, id) do update set space_id = $3, losses = $4, given_up_at = clock_timestamp(), shown_id = $5`,
        [kind, id, spaceId, losses, shownId],
      );
  }

  /** Newest first. */
  async listGivenUp({ limit, kind, beforeAt, beforeId }: LostWorkPage): Promise<LostWorkRow[]> {
    return this.database.system('list work that was given up', (tx) =>
      tx.query<LostWorkRow>(
        `select kind, ${SHOWN_ID} as id, space_id, losses, given_up_at as at from lost_work
          where given_up_at is not null and ($2::text is null or kind = $2)
            and ($3::timestamptz is null or (date_trunc('milliseconds', given_up_at), ${SHOWN_ID}) < ($3, $4::uuid))
          order by date_trunc('milliseconds', given_up_at) desc, ${SHOWN_ID} desc limit $1`,
        [limit, kind ?? null, beforeAt ?? null, beforeId ?? null],
      ),
    );
  }

  async findGivenUp(tx: Tx, id: string): Promise<LostWorkRow[]> {
    return tx.query<LostWorkRow>(
      `select kind, id, shown_id, space_id, losses, given_up_at as at from lost_work
        where (shown_id = $1 or (shown_id is null and id = $1)) and given_up_at is not null for update`,
      [id],
    );
  }

  async isGivenUp(tx: Tx, kind: string, id: string): Promise<boolean> {
    const row = await tx.one(`select 1 from lost_work where kind = $1 and id = $2 and given_up_at is not null`, [
      kind,
      id,
    ]);
    return row !== null;
  }

  /** Without entries that are only listed for their size and never crashed a process. */
  async countGivenUp(): Promise<{ kind: string; count: number }[]> {
    const [rows = []] = await this.database.systemRead('count work that was given up', [
      {
        sql: 'select kind, count(*)::int as count from lost_work where given_up_at is not null and losses > 0 group by kind',
        params: [],
      },
    ]);
    return rows as unknown as { kind: string; count: number }[];
  }

  /** Deletes losses older than a day; given-up work is kept as long as dead letters. */
  deleteOld(tx: Tx, days: number, limit: number): Promise<number> {
    return tx.count(
      `delete from lost_work where ctid = any (array(select ctid from lost_work
         where lost_at < (select clock_timestamp()) - ${LOSSES_COUNT_FOR}
           and (given_up_at is null or given_up_at < (select clock_timestamp()) - make_interval(days => $1)) limit $2 for update skip locked))`,
      [days, limit],
    );
  }
}
