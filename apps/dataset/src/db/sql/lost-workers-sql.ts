import { PROCESS } from '@switchyard/database';

const processOf = (worker: string): string => `nullif(split_part(${worker}, '@', 2), '')`;

/** SQL: the process of a worker renews its mark. */
export const isRunning = (worker: string): string => `exists (
  select 1 from running_work process where process.kind = '${PROCESS}' and ${processOf('process.worker')} = ${processOf(worker)}
    and process.at > (select clock_timestamp()) - interval '30 seconds')`;

/** SQL: an import lost its worker once. */
export const isSuspectImport = (row: string): string =>
  `exists (select 1 from lost_work lost where lost.kind = 'import' and lost.id = ${row}.id and lost.given_up_at is null)`;

/**
 * SQL: an import that lost its worker once is written, or a text that did is embedded. The next such work waits for it, so
 * that only the one to blame is lost a second time.
 */
export const IS_SUSPECT_WORK_RUNNING = `(
  exists (select 1 from imports beside where beside.worker is not null and beside.phase in ('WRITING', 'UNDOING') and ${isSuspectImport('beside')})
  or exists (select 1 from record_vectors text where text.worker is not null and text.losses > 0 and text.state = 'PENDING'))`;

/** SQL, a statement of its own before the one that looks: two workers must not each see that no such work runs. */
export const ONE_SUSPECT_AT_A_TIME = `select pg_advisory_xact_lock(74005, hashtext(current_schema() || 'lost dataset work'))`;
