import type { Page } from '@switchyard/contracts';
import type { FastifyReply } from 'fastify';
import { type PageOfRows, type Success, page } from './success-response';

const ROWS_BEGIN = '{"items":';
/** The cursor of a page stands behind its rows, as the last thing that the page says. */
const ROWS_END = /\],"nextCursor":(null|"[\w-]*")\}$/;
/** Longer than any cursor. */
const END_BYTES = 8 * 1024;

/**
 * The success envelope of a list around rows that a service has written as JSON: the same text as `page` would come to,
 * without parsing and writing it.
 */
export function rawJsonPage(
  reply: Pick<FastifyReply, 'type'>,
  message: string,
  rows: Buffer,
  limit: number,
): Buffer | (Success<unknown[]> & { page: PageOfRows }) {
  const end = ROWS_END.exec(rows.toString('latin1', Math.max(0, rows.length - END_BYTES)));
  if (!end || rows.toString('latin1', 0, ROWS_BEGIN.length) !== ROWS_BEGIN)
    return page(message, JSON.parse(rows.toString()) as Page<unknown>, limit);
  const [text, nextCursor = 'null'] = end;
  void reply.type('application/json; charset=utf-8');
  return Buffer.concat([
    Buffer.from(`{"success":true,"message":${JSON.stringify(message)},"data":`),
    rows.subarray(ROWS_BEGIN.length, rows.length - text.length + 1),
    Buffer.from(`,"page":{"limit":${limit},"nextCursor":${nextCursor}}}`),
  ]);
}
