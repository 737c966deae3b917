import type { Deleted } from '../api/schemas';
import type { Http } from '../http/http';
import type { RequestOptions } from '../http/options';
import type {
  Emission,
  EmissionByHand,
  EmissionReceipt,
  Envelope,
  EnvelopeDetails,
  EventStats,
  NewSubscription,
  RegisteredEvent,
  Replay,
  Subscription,
  SubscriptionChanges,
  TestedEmission,
} from '../records/event';
import { Endpoints } from './endpoints';
import { everyRow, getPage, type Page, type PageQuery } from './paged-lists';

export interface EnvelopeQuery extends PageQuery {
  status?: Envelope['status'];
  event?: string;
  appIdentifier?: string;
  source?: Envelope['source'];
  from?: string;
  to?: string;
  correlationId?: string;
}

export interface SubscriptionQuery extends PageQuery {
  eventId?: string;
  taskId?: string;
  endpointId?: string;
  kind?: 'TASK' | 'ENDPOINT';
  appIdentifier?: string;
  event?: string;
  active?: boolean;
}

export class Events {
  readonly endpoints: Endpoints;

  constructor(private readonly http: Http) {
    this.endpoints = new Endpoints(http);
  }

  /**
   * Needs the key of the application: `systemApiKey` of its installation. With an idempotency key it is safe to
   * repeat, and a lost connection is repeated by itself.
   */
  emit(emission: Emission): Promise<EmissionReceipt> {
    const { idempotencyKey } = emission;
    return this.http.data({ method: 'POST', path: '/events/emit', body: emission, idempotencyKey });
  }

  /**
   * In the name of the application that declares the event. Needs ADMIN and `events:write`, not the application's key.
   */
  emitByHand(eventId: string, emission: EmissionByHand): Promise<EmissionReceipt> {
    const { idempotencyKey } = emission;
    const path = `/events/registered/${eventId}/emit`;
    return this.http.data({ method: 'POST', path, body: emission, idempotencyKey });
  }

  registered(query: PageQuery & { appIdentifier?: string; name?: string } = {}): Promise<Page<RegisteredEvent>> {
    return getPage(this.http, '/events/registered', query);
  }

  allRegistered(
    query: Omit<PageQuery, 'cursor'> & { appIdentifier?: string; name?: string } = {},
  ): AsyncGenerator<RegisteredEvent> {
    return everyRow((cursor) => this.registered({ ...query, cursor }));
  }

  /** Evaluates a filter on the latest emissions of an event; nothing is stored or triggered. */
  testFilter(eventId: string, filter: Record<string, unknown> | null): Promise<TestedEmission[]> {
    return this.http.data({
      method: 'POST',
      path: `/events/registered/${eventId}/test-filter`,
      body: { filter },
    });
  }

  envelopes(query: EnvelopeQuery = {}): Promise<Page<Envelope>> {
    return getPage(this.http, '/events/envelopes', query);
  }

  allEnvelopes(query: Omit<EnvelopeQuery, 'cursor'> = {}): AsyncGenerator<Envelope> {
    return everyRow((cursor) => this.envelopes({ ...query, cursor }));
  }

  envelope(envelopeId: string): Promise<EnvelopeDetails> {
    return this.http.data({ method: 'GET', path: `/events/envelopes/${envelopeId}` });
  }

  /** Triggers the subscriptions of now once more; with `endpointId` it is sent to that endpoint alone. */
  replay(envelopeId: string, options: RequestOptions & { endpointId?: string } = {}): Promise<Replay> {
    const { endpointId, ...rest } = options;
    const body = endpointId === undefined ? {} : { endpointId };
    return this.http.data({ method: 'POST', path: `/events/envelopes/${envelopeId}/replay`, body, ...rest });
  }

  stats(
    query: { from?: string; to?: string; interval?: string; appIdentifier?: string; event?: string } = {},
  ): Promise<EventStats> {
    return this.http.data({ method: 'GET', path: '/events/stats', query });
  }

  subscriptions(query: SubscriptionQuery = {}): Promise<Page<Subscription>> {
    return getPage(this.http, '/events/subscriptions', query);
  }

  allSubscriptions(query: Omit<SubscriptionQuery, 'cursor'> = {}): AsyncGenerator<Subscription> {
    return everyRow((cursor) => this.subscriptions({ ...query, cursor }));
  }

  subscription(subscriptionId: string): Promise<Subscription> {
    return this.http.data({ method: 'GET', path: `/events/subscriptions/${subscriptionId}` });
  }

  subscribe(subscription: NewSubscription, options: RequestOptions = {}): Promise<Subscription> {
    return this.http.data({ method: 'POST', path: '/events/subscriptions', body: subscription, ...options });
  }

  updateSubscription(subscriptionId: string, changes: SubscriptionChanges): Promise<Subscription> {
    return this.http.data({ method: 'PATCH', path: `/events/subscriptions/${subscriptionId}`, body: changes });
  }

  unsubscribe(subscriptionId: string): Promise<Deleted> {
    return this.http.data({ method: 'DELETE', path: `/events/subscriptions/${subscriptionId}` });
  }
}
