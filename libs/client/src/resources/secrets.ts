import type { Deleted } from '../api/schemas';
import type { Http } from '../http/http';
import type { RequestOptions } from '../http/options';
import type { NewSecret, Secret, SecretChanges, SecretWithUsers } from '../records/spaces-keys-and-members';
import { getPage, type Page, type PageQuery } from './paged-lists';

/** Values go in and never come out. */
export class Secrets {
  constructor(private readonly http: Http) {}

  list(query: PageQuery = {}): Promise<Page<Secret>> {
    return getPage(this.http, '/secrets', query);
  }

  /** With the tasks and agents that use it. */
  get(secretId: string): Promise<SecretWithUsers> {
    return this.http.data({ method: 'GET', path: `/secrets/${secretId}` });
  }

  create(secret: NewSecret, options: RequestOptions = {}): Promise<Secret> {
    return this.http.data({ method: 'POST', path: '/secrets', body: secret, ...options });
  }

  /** A new value holds within a second. */
  update(secretId: string, changes: SecretChanges): Promise<Secret> {
    return this.http.data({ method: 'PUT', path: `/secrets/${secretId}`, body: changes });
  }

  /** Refused while something uses it, unless forced. */
  remove(secretId: string, options: { force?: boolean } = {}): Promise<Deleted> {
    const path = `/secrets/${secretId}${options.force ? '?force=true' : ''}`;
    return this.http.data({ method: 'DELETE', path });
  }
}
