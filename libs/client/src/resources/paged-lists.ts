import type { Envelope, Http, HttpRequest } from '../http/http';
import type { Query } from '../http/options';

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

export interface PageQuery {
  /** 1 to 100; 20 unless given. */
  limit?: number;
  cursor?: string;
}

export async function readPage<T>(http: Http, request: HttpRequest): Promise<Page<T>> {
  const { data, page } = await http.json<Envelope<T[]>>(request);
  return { items: data, nextCursor: page?.nextCursor ?? null };
}

export const getPage = <T>(http: Http, path: string, query: object = {}): Promise<Page<T>> =>
  readPage<T>(http, { method: 'GET', path, query: query as Query });

/** All rows of a list, page by page as they are asked for. */
export async function* everyRow<T>(load: (cursor: string | undefined) => Promise<Page<T>>): AsyncGenerator<T> {
  let cursor: string | undefined;
  do {
    const page = await load(cursor);
    yield* page.items;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
