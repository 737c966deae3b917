import type { EnvelopeError } from '@switchyard/contracts';
import { type ErrorDetail, type Filter, type JsonObject, matchesFilter, parseFilter } from '@switchyard/kernel';
import type { FieldTypes } from './check-row-filters';

export interface RowRules {
  filter: unknown;
  /** Without them, values are compared as they are spelled. */
  types: FieldTypes | null;
  check: (payload: JsonObject) => ErrorDetail[];
  maxBytes: number;
}

/** Result of one row for one event. `cause` is the error of its filter or schema. */
export type RowResult = { isMatch: false } | { isMatch: true; error: EnvelopeError | null; cause?: unknown };

/**
 * Judges rows by the rules of one event. It never throws: the same write may be another application's event, and what
 * breaks down for one must not stop the others. A row that could not be judged is recorded as failed, not left out.
 */
export function rowMatcher({ filter, types, check, maxBytes }: RowRules): (row: JsonObject) => RowResult {
  let parsed: Filter | undefined;
  return (row) => {
    try {
      parsed ??= parseFilter(filter, types ? new Map(Object.entries(types)) : undefined);
      if (!matchesFilter(parsed, row)) return { isMatch: false };
      return { isMatch: true, error: misfitOf(row, check, maxBytes) };
    } catch (cause) {
      const message = "The row could not be checked against the event's schema and filter.";
      return { isMatch: true, error: { code: 'SERVER_ERROR', message }, cause };
    }
  };
}

function misfitOf(row: JsonObject, check: RowRules['check'], maxBytes: number): EnvelopeError | null {
  const bytes = Buffer.byteLength(JSON.stringify(row));
  if (bytes > maxBytes)
    return { code: 'PAYLOAD_TOO_LARGE', message: `The row has ${bytes} bytes of JSON; ${maxBytes} are allowed.` };
  const [problem] = check(row);
  return problem ? { code: 'EVENT_PAYLOAD_INVALID', message: `${problem.path} ${problem.message}.` } : null;
}
