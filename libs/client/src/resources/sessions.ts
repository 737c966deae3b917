import type { Deleted } from '../api/schemas';
import type { Http } from '../http/http';
import type { RequestOptions } from '../http/options';
import type {
  Compaction,
  ContextStatus,
  Message,
  NewSession,
  Session,
  SessionChanges,
  SessionSummary,
} from '../records/session';
import { everyRow, getPage, type Page, type PageQuery } from './paged-lists';

export interface SessionQuery extends PageQuery {
  agentId?: string;
  q?: string;
  allUsers?: boolean;
}

export class Sessions {
  constructor(private readonly http: Http) {}

  create(session: NewSession = {}, options: RequestOptions = {}): Promise<Session> {
    return this.http.data({ method: 'POST', path: '/agents/sessions', body: session, ...options });
  }

  list(query: SessionQuery = {}): Promise<Page<SessionSummary>> {
    return getPage(this.http, '/agents/sessions', query);
  }

  all(query: Omit<SessionQuery, 'cursor'> = {}): AsyncGenerator<SessionSummary> {
    return everyRow((cursor) => this.list({ ...query, cursor }));
  }

  get(sessionId: string): Promise<Session> {
    return this.http.data({ method: 'GET', path: `/agents/sessions/${sessionId}` });
  }

  update(sessionId: string, changes: SessionChanges): Promise<Session> {
    return this.http.data({ method: 'PATCH', path: `/agents/sessions/${sessionId}`, body: changes });
  }

  remove(sessionId: string): Promise<Deleted> {
    return this.http.data({ method: 'DELETE', path: `/agents/sessions/${sessionId}` });
  }

  /** Oldest first; `after` is a seq. */
  messages(sessionId: string, query: PageQuery & { after?: number; turnId?: string } = {}): Promise<Page<Message>> {
    return getPage(this.http, `/agents/sessions/${sessionId}/messages`, query);
  }

  transcript(sessionId: string): AsyncGenerator<Message> {
    return everyRow((cursor) => this.messages(sessionId, { limit: 100, cursor }));
  }

  fork(sessionId: string, fork: { fromMessageId?: string } = {}, options: RequestOptions = {}): Promise<Session> {
    return this.http.data({ method: 'POST', path: `/agents/sessions/${sessionId}/fork`, body: fork, ...options });
  }

  contextStatus(agentId: string, sessionId: string): Promise<ContextStatus> {
    const path = `/agents/${agentId}/sessions/${sessionId}/context/status`;
    return this.http.data({ method: 'POST', path, body: {} });
  }

  compact(agentId: string, sessionId: string): Promise<Compaction> {
    const path = `/agents/${agentId}/sessions/${sessionId}/context/compact`;
    return this.http.data({ method: 'POST', path, body: {} });
  }
}
