import { AppError } from '@switchyard/kernel';

interface PgError {
  code?: string;
  constraint?: string;
}

/** Without 08P01, a protocol violation, which another server would report too. */
const BROKEN_CONNECTION = /^(08(?!P01)|57P)/;
const UNAVAILABLE = /^(53|25P03|57014)/;
/** Network errors start with an E, unlike these classes. */
const SQL_STATE = /^[0-9FHPX][0-9A-Z]{4}$/;
const LOCK_CODES = new Set(['55P03', '40001', '40P01']);
const ENTANGLED = new Set(['40001', '40P01']);
const BAD_INPUT = new Set([
  '22P02',
  '22003',
  '22P05',
  '22021',
  '2201W',
  '2201X',
  '22001',
  '22007',
  '22008',
  '54001',
  '22023',
]);
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);

const codeOf = (error: unknown): string => {
  const outer = error as PgError & { driverError?: PgError };
  return outer.driverError?.code ?? outer.code ?? '';
};

/** Name of the violated constraint, for a better message than CONFLICT. */
export const brokenConstraint = (error: unknown): string | null => {
  const cause = error instanceof AppError ? error.cause : error;
  const pg = cause as (PgError & { driverError?: PgError }) | undefined;
  return pg?.driverError?.constraint ?? pg?.constraint ?? null;
};

/** Messages of pg, and of TypeORM, which releases a transaction's connection when it breaks. */
const BROKEN_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query runner already released|Query read timeout/;

/** Whether the connection broke or timed out, as opposed to an error from Postgres. */
export const isConnectionBroken = (error: unknown): boolean =>
  NETWORK.has(codeOf(error)) || (error instanceof Error && BROKEN_MESSAGE.test(error.message));

const causeOf = (error: unknown): unknown => (error instanceof AppError ? (error.cause ?? error) : error);

/** Whether the server rejects writes: a standby, or a read-only primary. */
export const isReadOnly = (error: unknown): boolean => codeOf(causeOf(error)) === '25006';

/** Whether another server should be tried. */
export const isUnavailable = (error: unknown): boolean =>
  isReadOnly(error) || isConnectionBroken(causeOf(error)) || BROKEN_CONNECTION.test(codeOf(causeOf(error)));

/** Whether Postgres ended a deadlock or a serialization conflict: retry the transaction. */
export const isEntangled = (error: unknown): boolean =>
  ENTANGLED.has(codeOf(error instanceof AppError ? (error.cause ?? error) : error));

/** Whether a lock could not be acquired in time. */
export const isLockedByOthers = (error: unknown): boolean =>
  LOCK_CODES.has(codeOf(error instanceof AppError ? (error.cause ?? error) : error));

/** SQLSTATE of a server error; empty for other errors. */
export const sqlStateOf = (error: unknown): string => {
  const code = codeOf(causeOf(error));
  return SQL_STATE.test(code) ? code : '';
};

/** Whether the server reported an error and rolled back, so that a retry is safe. */
export const isRolledBack = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  return state !== '' && !BROKEN_CONNECTION.test(state) && !state.startsWith('53');
};

/** Whether a statement timed out, possibly because its input is too large. */
export const isStatementTimeout = (error: unknown): boolean => {
  const cause = error instanceof AppError ? (error.cause ?? error) : error;
  return codeOf(cause) === '57014' || (cause instanceof Error && /Query read timeout/.test(cause.message));
};

/** 57014 is also a cancellation by an operator, so a retry may succeed. */
const isTooSlow = (error: unknown): boolean =>
  codeOf(error) === '57014' && error instanceof Error && /statement timeout/.test(error.message);

const TOO_SLOW =
  'The database took too long for this request and stopped it. Narrow it down, for instance by a filter, a shorter ' +
  'time range or fewer records, or try again later.';

/** Translates constraint violations and conflicts to AppErrors. Bugs of ours stay as they are, and become a 500. */
export function translate(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  if (code === '23505')
    return new AppError('CONFLICT', 'Something with this name or key exists already.', { cause: error });
  if (code === '42501') return new AppError('NOT_FOUND', 'It does not exist.', { cause: error });
  if (BAD_INPUT.has(code))
    return new AppError('VALIDATION_ERROR', 'A value is out of range or not of its type.', { cause: error });
  if (LOCK_CODES.has(code)) {
    return new AppError('SERVICE_UNAVAILABLE', 'Others are writing the same at this moment. Try again shortly.', {
      cause: error,
      retryAfterSeconds: 1,
    });
  }
  if (isTooSlow(error)) return new AppError('SERVICE_UNAVAILABLE', TOO_SLOW, { cause: error, retryAfterSeconds: 1 });
  if (UNAVAILABLE.test(code) || BROKEN_CONNECTION.test(code) || isConnectionBroken(error) || isReadOnly(error)) {
    return new AppError('SERVICE_UNAVAILABLE', 'The database is not available. Try again shortly.', {
      cause: error,
      retryAfterSeconds: 1,
    });
  }
  return error;
}
