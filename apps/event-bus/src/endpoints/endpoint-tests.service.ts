import { Injectable } from '@nestjs/common';
import { type Ctx, type EndpointTested, type TestEndpoint, requireSpace } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, type JsonObject, invalid, newId } from '@switchyard/kernel';
import { DELIVERY_TIMEOUT_MS } from '@switchyard/service';
import { SecurityEventRecorder } from '../audit/security-event-recorder';
import { EndpointsRepository } from '../db/endpoints.repository';
import { RegisteredEventsRepository } from '../db/registered-events.repository';
import { type EndpointRow, receiverOf } from '../domain/endpoint-record';
import { exampleOf } from '../domain/schema-example';
import { EndpointRequests } from './endpoint-requests';
import { EndpointsService } from './endpoints.service';
import { NatsReceivers } from './nats-receivers';
import { type NatsMessage, NatsTransport } from './nats-transport';

const OWN_TYPE = 'endpoint.test';

interface TestedMessage {
  type: string;
  data: unknown;
}

/** Sends one message at once, outside the queue: it changes nothing of the endpoint's health. */
@Injectable()
export class EndpointTests {
  constructor(
    private readonly database: Database,
    private readonly endpoints: EndpointsService,
    private readonly repository: EndpointsRepository,
    private readonly events: RegisteredEventsRepository,
    private readonly requests: EndpointRequests,
    private readonly nats: NatsTransport,
    private readonly receivers: NatsReceivers,
    private readonly securityEvents: SecurityEventRecorder,
  ) {}

  async test(ctx: Ctx, { id, appIdentifier, event }: TestEndpoint): Promise<EndpointTested> {
    const spaceId = requireSpace(ctx);
    if (appIdentifier !== undefined && event === undefined) throw invalid('event', 'is required beside appIdentifier');
    const { endpoint, message } = await this.database.transaction(ctx, async (tx) => {
      const endpoint = await this.endpoints.needReadable(tx, spaceId, id);
      const message = event === undefined ? ownMessage() : await this.messageOf(tx, spaceId, event, appIdentifier);
      await this.repository.countTest(tx, spaceId, id);
      return { endpoint, message };
    });
    const body = JSON.stringify({ ...message, timestamp: new Date().toISOString(), test: true });
    const { status, durationMs, error } = await this.send(endpoint, body, ctx.traceparent ?? null);
    this.securityEvents.note(ctx, 'endpoint.tested', id, { name: endpoint.name, ...receiverOf(endpoint), status });
    return { status, durationMs, error };
  }

  private async send(endpoint: EndpointRow, body: string, traceparent: string | null): Promise<EndpointTested> {
    const { spaceId, id, url, headers, secret, oldSecret, oldSecretUntil } = endpoint;
    const webhookId = `test.${newId()}`;
    if (url === null || secret === null) return this.sendOverNats(endpoint, { webhookId, body, traceparent });
    const isInGrace = oldSecretUntil !== null && Date.parse(oldSecretUntil) > Date.now();
    return this.requests.send({
      spaceId,
      endpointId: id,
      url,
      headers,
      secret,
      oldSecret: isInGrace ? oldSecret : null,
      webhookId,
      envelopeId: null,
      traceparent,
      body,
    });
  }

  private async sendOverNats(
    { spaceId, name, natsAccountId, ackSeconds }: EndpointRow,
    message: Pick<NatsMessage, 'webhookId' | 'body' | 'traceparent'>,
  ): Promise<EndpointTested> {
    const account = natsAccountId ?? '';
    const state = await this.receivers.stateOf(spaceId, account);
    if (state !== 'OPEN') return untested(state === 'REVOKED' ? 'ACCOUNT_REVOKED' : 'ACCOUNT_WAITING');
    const outcome = await this.nats.send({
      account,
      endpoint: name,
      ...message,
      envelopeId: null,
      attempt: 1,
      ackMs: Math.min((ackSeconds ?? 0) * 1000, DELIVERY_TIMEOUT_MS),
      limitMs: DELIVERY_TIMEOUT_MS,
    });
    if (outcome.kind === 'replied') return outcome.attempt;
    return untested(outcome.kind === 'no-listener' ? 'NO_LISTENER' : 'UNREACHABLE');
  }

  private async messageOf(tx: Tx, spaceId: string, name: string, appIdentifier?: string): Promise<TestedMessage> {
    const found = await this.events.activeSchemas(tx, spaceId, { name, appIdentifier });
    const [first, ...others] = found;
    if (!first) throw new AppError('EVENT_NOT_REGISTERED', `No installed application declares the event "${name}".`);
    if (others.length > 0) throw invalid('appIdentifier', `is required: several applications declare "${name}"`);
    return { type: name, data: exampleOf(first.schema) };
  }
}

const UNTESTED = {
  NO_LISTENER: 'Nobody has subscribed to the subject of the endpoint.',
  UNREACHABLE: 'The NATS server of services could not be reached.',
  ACCOUNT_REVOKED: 'The account is revoked.',
  ACCOUNT_WAITING: 'The NATS server of services has not loaded the new user of the account yet.',
} as const;

const untested = (code: keyof typeof UNTESTED): EndpointTested => ({
  status: null,
  durationMs: 0,
  error: { code, message: UNTESTED[code] },
});

const ownMessage = (): TestedMessage => ({ type: OWN_TYPE, data: {} satisfies JsonObject });
