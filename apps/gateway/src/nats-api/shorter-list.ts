import { isPlainObject } from '@switchyard/kernel';

/** Lists end here: with its headers, a page is then a message that any server takes. */
export const LIST_BYTES = 768 * 1024;

interface ListPage {
  rows: number;
  limit: number;
}

function pageIn(text: string): ListPage | null {
  const body = parsed(text);
  if (!isPlainObject(body) || !Array.isArray(body['data']) || !isPlainObject(body['page'])) return null;
  const { limit } = body['page'];
  return typeof limit === 'number' && 'nextCursor' in body['page'] ? { rows: body['data'].length, limit } : null;
}

/** The number of rows to ask for instead, where a page is too long; null if it is no page, or has one row. */
export function shorterLimit(answer: Buffer): number | null {
  if (answer.length <= LIST_BYTES) return null;
  const page = pageIn(answer.toString());
  if (!page || page.rows <= 1) return null;
  const fitting = Math.floor((page.rows * LIST_BYTES * 0.95) / answer.length);
  return Math.max(1, Math.min(fitting, page.rows - 1));
}

/** The same question with another limit: in the query of a GET, in the body of a POST. */
export function withLimit<R extends { method: string; target: string; body: Buffer }>(request: R, limit: number): R {
  if (request.method === 'GET') {
    const [path = '', query = ''] = request.target.split('?');
    const rest = query.split('&').filter((part) => part !== '' && !part.startsWith('limit='));
    return { ...request, target: `${path}?${[...rest, `limit=${limit}`].join('&')}` };
  }
  const body = parsed(request.body.toString());
  return { ...request, body: Buffer.from(JSON.stringify({ ...(isPlainObject(body) ? body : {}), limit })) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
