import type { Deleted } from '../api/schemas';
import type { Http } from '../http/http';
import type { RequestOptions } from '../http/options';
import type { Application, InstalledApplication, Manifest } from '../records/event';
import { everyRow, getPage, type Page, type PageQuery } from './paged-lists';

export interface ApplicationQuery extends PageQuery {
  identifier?: string;
  /** Without the application of the platform. */
  platform?: false;
}

export class Applications {
  constructor(private readonly http: Http) {}

  list(query: ApplicationQuery = {}): Promise<Page<Application>> {
    return getPage(this.http, '/applications', query);
  }

  all(query: Omit<ApplicationQuery, 'cursor'> = {}): AsyncGenerator<Application> {
    return everyRow((cursor) => this.list({ ...query, cursor }));
  }

  get(applicationId: string): Promise<Application> {
    return this.http.data({ method: 'GET', path: `/applications/${applicationId}` });
  }

  /** The application's key is in this answer and in no other. */
  install(manifest: Manifest, options: RequestOptions = {}): Promise<InstalledApplication> {
    return this.http.data({ method: 'POST', path: '/applications', body: { manifest }, ...options });
  }

  upgrade(applicationId: string, manifest: Manifest): Promise<Application> {
    return this.http.data({ method: 'PUT', path: `/applications/${applicationId}`, body: { manifest } });
  }

  uninstall(applicationId: string): Promise<Deleted> {
    return this.http.data({ method: 'DELETE', path: `/applications/${applicationId}` });
  }

  rotateKey(applicationId: string, options: RequestOptions = {}): Promise<InstalledApplication> {
    return this.http.data({
      method: 'POST',
      path: `/applications/${applicationId}/rotate-key`,
      body: {},
      ...options,
    });
  }
}
