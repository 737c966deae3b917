import { ConnectionError, errorOf } from '../http/errors';
import type { Http } from '../http/http';
import type { Query } from '../http/options';
import type { Activity, ActivityCount, ActivityKind, CauseTree } from '../records/activity';
import { readSse } from '../stream/sse';
import { everyRow, getPage, type Page, type PageQuery } from './paged-lists';

export interface ActivityStreamQuery {
  kind?: ActivityKind | ActivityKind[];
  status?: Activity['status'] | Activity['status'][];
  userId?: string;
}

export interface ActivityQuery extends ActivityStreamQuery, PageQuery {
  from?: string;
  to?: string;
}

const SILENCE_MS = 45_000;

/** Turns, executions, jobs and emissions of the Space. */
export class ActivityOfSpace {
  constructor(private readonly http: Http) {}

  list(query: ActivityQuery = {}): Promise<Page<Activity>> {
    return getPage(this.http, '/activity', query);
  }

  all(query: Omit<ActivityQuery, 'cursor'> = {}): AsyncGenerator<Activity> {
    return everyRow((cursor) => this.list({ ...query, cursor }));
  }

  counts(query: { from?: string; to?: string } = {}): Promise<ActivityCount[]> {
    return this.http.data({ method: 'GET', path: '/activity/counts', query });
  }

  /** The whole tree that a record belongs to, from its root down. */
  causes(kind: ActivityKind, id: string): Promise<CauseTree> {
    return this.http.data({ method: 'GET', path: `/activity/causes/${kind}/${id}` });
  }

  /**
   * Rows as they change, over one connection: the loop ends with it. Nothing is replayed, so read the list after you
   * have opened the stream again: `onOpen` tells when that is. Leaving the loop closes it.
   */
  async *stream(
    query: ActivityStreamQuery = {},
    { signal, onOpen }: { signal?: AbortSignal; onOpen?: () => void } = {},
  ): AsyncGenerator<Activity> {
    const response = await this.http.send({
      method: 'GET',
      path: '/activity/stream',
      query: query as Query,
      headers: { accept: 'text/event-stream' },
      signal,
    });
    if (!response.ok) throw await errorOf(response);
    if (!response.body) throw new ConnectionError('The stream of activity has no body.');
    onOpen?.();
    const silenceMs = this.http.options.silenceMs ?? SILENCE_MS;
    for await (const data of readSse(response.body, () => silenceMs)) yield JSON.parse(data) as Activity;
  }
}
