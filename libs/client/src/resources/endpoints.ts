import type { Deleted } from '../api/schemas';
import type { Http } from '../http/http';
import type { RequestOptions } from '../http/options';
import type {
  Endpoint,
  EndpointChanges,
  EndpointDelivery,
  EndpointReplay,
  EndpointReplayed,
  EndpointTested,
  EndpointWithSecret,
  NewEndpoint,
} from '../records/event';
import { everyRow, getPage, type Page, type PageQuery } from './paged-lists';

export interface EndpointDeliveryQuery extends PageQuery {
  status?: 'PENDING' | 'DELIVERED' | 'FAILED' | 'DISCARDED';
  event?: string;
  from?: string;
  to?: string;
}

const at = (endpointId: string): string => `/events/endpoints/${endpointId}`;

/** Addresses of yours to which the platform sends events, signed. `verifyWebhook` of `@switchyard/client/webhooks` checks what arrives there. */
export class Endpoints {
  constructor(private readonly http: Http) {}

  /** The answer holds the secret, this once. */
  create(endpoint: NewEndpoint, options: RequestOptions = {}): Promise<EndpointWithSecret> {
    return this.http.data({ method: 'POST', path: '/events/endpoints', body: endpoint, ...options });
  }

  list(query: PageQuery = {}): Promise<Page<Endpoint>> {
    return getPage(this.http, '/events/endpoints', query);
  }

  all(query: Omit<PageQuery, 'cursor'> = {}): AsyncGenerator<Endpoint> {
    return everyRow((cursor) => this.list({ ...query, cursor }));
  }

  get(endpointId: string): Promise<Endpoint> {
    return this.http.data({ method: 'GET', path: at(endpointId) });
  }

  update(endpointId: string, changes: EndpointChanges): Promise<Endpoint> {
    return this.http.data({ method: 'PATCH', path: at(endpointId), body: changes });
  }

  /** With its subscriptions. */
  delete(endpointId: string): Promise<Deleted> {
    return this.http.data({ method: 'DELETE', path: at(endpointId) });
  }

  /** Both secrets sign until the grace ends, a day unless said otherwise. */
  rotateSecret(
    endpointId: string,
    { graceSeconds, ...options }: RequestOptions & { graceSeconds?: number } = {},
  ): Promise<EndpointWithSecret> {
    const body = graceSeconds === undefined ? {} : { graceSeconds };
    return this.http.data({ method: 'POST', path: `${at(endpointId)}/rotate-secret`, body, ...options });
  }

  /** One request at once. With an event, an example of its payload is sent. */
  test(endpointId: string, event: { appIdentifier?: string; event?: string } = {}): Promise<EndpointTested> {
    return this.http.data({ method: 'POST', path: `${at(endpointId)}/test`, body: event });
  }

  /** After it was disabled. It sends nothing by itself: `replay` does. */
  resume(endpointId: string): Promise<Endpoint> {
    return this.http.data({ method: 'POST', path: `${at(endpointId)}/resume`, body: {} });
  }

  /** Sends again what failed in a period, or what had another status. */
  replay(endpointId: string, range: EndpointReplay, options: RequestOptions = {}): Promise<EndpointReplayed> {
    return this.http.data({ method: 'POST', path: `${at(endpointId)}/replay`, body: range, ...options });
  }

  deliveries(endpointId: string, query: EndpointDeliveryQuery = {}): Promise<Page<EndpointDelivery>> {
    return getPage(this.http, `${at(endpointId)}/deliveries`, query);
  }

  allDeliveries(
    endpointId: string,
    query: Omit<EndpointDeliveryQuery, 'cursor'> = {},
  ): AsyncGenerator<EndpointDelivery> {
    return everyRow((cursor) => this.deliveries(endpointId, { ...query, cursor }));
  }
}
