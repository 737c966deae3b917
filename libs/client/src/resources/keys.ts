import type { Http } from '../http/http';
import type { RequestOptions } from '../http/options';
import type {
  ApiKey,
  ApiKeyChanges,
  ApiKeyWithValue,
  KeyUsage,
  KeyValidity,
  NewApiKey,
} from '../records/spaces-keys-and-members';
import { everyRow, getPage, type Page, type PageQuery } from './paged-lists';

export interface KeyQuery extends PageQuery {
  status?: ApiKey['status'];
}

export class Keys {
  constructor(private readonly http: Http) {}

  list(query: KeyQuery = {}): Promise<Page<ApiKey>> {
    return getPage(this.http, '/api-keys', query);
  }

  all(query: Omit<KeyQuery, 'cursor'> = {}): AsyncGenerator<ApiKey> {
    return everyRow((cursor) => this.list({ ...query, cursor }));
  }

  get(keyId: string): Promise<ApiKey> {
    return this.http.data({ method: 'GET', path: `/api-keys/${keyId}` });
  }

  /** The value is in this answer and in no other. */
  create(key: NewApiKey, options: RequestOptions = {}): Promise<ApiKeyWithValue> {
    return this.http.data({ method: 'POST', path: '/api-keys', body: key, ...options });
  }

  /** Scopes can only shrink. Limits change one by one; null removes one. */
  update(keyId: string, changes: ApiKeyChanges): Promise<ApiKey> {
    return this.http.data({ method: 'PUT', path: `/api-keys/${keyId}`, body: changes });
  }

  /** The key's token usage today and this month, and tokens reserved by running calls. */
  usage(keyId: string): Promise<KeyUsage> {
    return this.http.data({ method: 'GET', path: `/api-keys/${keyId}/usage` });
  }

  revoke(keyId: string): Promise<ApiKey> {
    return this.http.data({ method: 'POST', path: `/api-keys/${keyId}/revoke`, body: {} });
  }

  /** A new value for the same key; the old one lives on for the grace. */
  rotate(
    keyId: string,
    rotation: { graceSeconds?: number } = {},
    options: RequestOptions = {},
  ): Promise<ApiKeyWithValue> {
    return this.http.data({ method: 'POST', path: `/api-keys/${keyId}/rotate`, body: rotation, ...options });
  }

  validate(key: string): Promise<KeyValidity> {
    return this.http.data({ method: 'POST', path: '/api-keys/validate', body: { key } });
  }
}
