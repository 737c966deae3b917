import { LOSSES_COUNT_FOR, PROCESS, isLongSeries, isTrial, processOf } from '@switchyard/database';

export const IMPORT = 'import';
/** Taking back what was written is work of its own: that its import ended processes says nothing about it. */
export const UNDO = 'import undo';
/** Imports and texts are tried together: a process works on both. */
export const TRIED = 'dataset work';

/** SQL: the process of a worker renews its mark. */
export const isRunning = (worker: string): string => `exists (
  select 1 from running_work process where process.kind = '${PROCESS}' and ${processOf('process.worker')} = ${processOf(worker)}
    and process.at > (select clock_timestamp()) - interval '30 seconds')`;

/** SQL: an import lost its worker once. */
export const isSuspectImport = (row: string): string =>
  `exists (select 1 from lost_work lost where lost.kind in ('${IMPORT}', '${UNDO}') and lost.id = ${row}.id and lost.given_up_at is null)`;

/** SQL: a text lost its worker today. */
export const isSuspectText = (row: string): string =>
  `coalesce(${row}.losses > 0 and ${row}.lost_at > (select clock_timestamp()) - ${LOSSES_COUNT_FOR}, false)`;

const IS_WRITTEN = `beside.worker is not null and beside.phase in ('RUNNING', 'WRITING', 'UNDOING')`;
const IS_EMBEDDED = `text.worker is not null and text.state = 'PENDING'`;

/**
 * SQL: an import that lost its worker once is written, or a text that did is embedded. The next such work waits for it,
 * so that only the one to blame is lost a second time.
 */
export const IS_SUSPECT_WORK_RUNNING = `(
  exists (select 1 from imports beside where ${IS_WRITTEN} and ${isSuspectImport('beside')})
  or exists (select 1 from record_vectors text where ${IS_EMBEDDED} and text.losses > 0))`;

/** SQL: imports or texts were lost a short while ago and none was blamed. */
export const IS_TRIAL = isTrial(TRIED);

/** SQL: while these losses are tried, and there is something that was lost and may be taken up, fresh work waits. */
export const IS_CAREFUL = `(${IS_TRIAL} and (
  exists (select 1 from imports suspect where suspect.phase in ('QUEUED', 'RUNNING', 'WRITING', 'UNDOING')
    and (suspect.worker is not null or suspect.due_at <= (select clock_timestamp())) and ${isSuspectImport('suspect')})
  or exists (select 1 from record_vectors suspect where suspect.state = 'PENDING' and suspect.losses > 0
    and (suspect.worker is not null or suspect.due_at <= (select clock_timestamp())))))`;

/**
 * SQL: the process of this worker had other work, which may as well have ended it. After several losses that showed
 * nothing, only work that was lost before counts. `ownId`: the import that is looked at.
 */
export const hadOtherWork = (worker: string, ownId?: string): string => {
  const ofProcess = (row: string): string => `${processOf(`${row}.worker`)} = ${processOf(worker)}`;
  const imports = `select 1 from imports beside where ${IS_WRITTEN} and ${ofProcess('beside')}${ownId ? ` and beside.id <> ${ownId}` : ''}`;
  const texts = `select 1 from record_vectors text where ${IS_EMBEDDED} and ${ofProcess('text')}`;
  const any = (which: { imports: string; texts: string }): string =>
    ownId
      ? `exists (${imports}${which.imports}) or exists (${texts}${which.texts})`
      : `exists (${imports}${which.imports})`;
  return `case when ${isLongSeries(TRIED)} then ${any({ imports: ` and ${isSuspectImport('beside')}`, texts: ' and text.losses > 0' })}
    else ${any({ imports: '', texts: '' })} end`;
};

/** SQL, a statement of its own before the one that looks: two workers must not each see that no such work runs. */
export const ONE_SUSPECT_AT_A_TIME = `select pg_advisory_xact_lock(74005, hashtext(current_schema() || 'lost dataset work'))`;
