import type { JsonObject } from '@switchyard/kernel';
import { AppError, isEverything, parseFilter } from '@switchyard/kernel';
import type { Selection } from '../db/sql/record-reads';
import type { Layout } from '../domain/table-layout';

interface SelectionInput {
  filter?: JsonObject;
  ids?: string[];
  all?: boolean;
}

/** Which records a write means. Meaning all of them has to be said. */
export function selectionOf(layout: Layout, request: SelectionInput): Selection {
  const filter = parseFilter(request.filter, layout.types);
  const ids = request.ids ?? null;
  if (ids === null && isEverything(filter) && request.all !== true) {
    const message = 'Give a filter or ids; to mean every record, say "all": true.';
    throw new AppError('VALIDATION_ERROR', message, { details: [{ path: 'filter', message }] });
  }
  return { ids, filter };
}
