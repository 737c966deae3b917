import { DEFAULT_PAGE, Page } from '@switchyard/contracts';

export interface Success<T> {
  success: true;
  message: string;
  data: T;
}

export interface PageOfRows {
  limit: number;
  nextCursor: string | null;
}

/** The success envelope. `beside` are siblings of `data`. */
export const ok = <T, B extends object = object>(message: string, data: T, extra?: B): Success<T> & B =>
  ({ success: true, message, data, ...extra }) as Success<T> & B;

/** The success envelope of a list. */
export const page = <T>(
  message: string,
  rows: Page<T>,
  limit: number = DEFAULT_PAGE,
): Success<T[]> & { page: PageOfRows } => ({
  success: true,
  message,
  data: rows.items,
  page: { limit, nextCursor: rows.nextCursor },
});

/** Says of an answer that its request was made before, under the same key. */
export const markReplayed = (reply: { header(name: string, value: string): unknown }): void => {
  reply.header('idempotency-replayed', 'true');
};
