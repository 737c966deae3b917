import { Injectable } from '@nestjs/common';
import { type Ctx, type EndpointTested, type TestEndpoint, requireSpace } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, type JsonObject, invalid, newId } from '@switchyard/kernel';
import { SecurityEventRecorder } from '../audit/security-event-recorder';
import { EndpointsRepository } from '../db/endpoints.repository';
import { RegisteredEventsRepository } from '../db/registered-events.repository';
import { exampleOf } from '../domain/schema-example';
import { EndpointRequests } from './endpoint-requests';
import { EndpointsService } from './endpoints.service';

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
    private readonly securityEvents: SecurityEventRecorder,
  ) {}

  async test(ctx: Ctx, { id, appIdentifier, event }: TestEndpoint): Promise<EndpointTested> {
    const spaceId = requireSpace(ctx);
    if (appIdentifier !== undefined && event === undefined) throw invalid('event', 'is required beside appIdentifier');
    const { endpoint, message } = await this.database.transaction(ctx, async (tx) => {
      const endpoint = await this.endpoints.need(tx, spaceId, id);
      const message = event === undefined ? ownMessage() : await this.messageOf(tx, spaceId, event, appIdentifier);
      await this.repository.countTest(tx, spaceId, id);
      return { endpoint, message };
    });
    const { url, headers, secret, oldSecret, oldSecretUntil, name } = endpoint;
    if (url === null) throw new AppError('CONFLICT', 'The endpoint has no address.');
    const isInGrace = oldSecretUntil !== null && Date.parse(oldSecretUntil) > Date.now();
    const { status, durationMs, error } = await this.requests.send({
      spaceId,
      endpointId: id,
      url,
      headers,
      secret,
      oldSecret: isInGrace ? oldSecret : null,
      webhookId: `test.${newId()}`,
      envelopeId: null,
      body: JSON.stringify({ ...message, timestamp: new Date().toISOString(), test: true }),
    });
    this.securityEvents.note(ctx, 'endpoint.tested', id, { name, host: new URL(url).host, status });
    return { status, durationMs, error };
  }

  private async messageOf(tx: Tx, spaceId: string, name: string, appIdentifier?: string): Promise<TestedMessage> {
    const found = await this.events.activeSchemas(tx, spaceId, { name, appIdentifier });
    const [first, ...others] = found;
    if (!first) throw new AppError('EVENT_NOT_REGISTERED', `No installed application declares the event "${name}".`);
    if (others.length > 0) throw invalid('appIdentifier', `is required: several applications declare "${name}"`);
    return { type: name, data: exampleOf(first.schema) };
  }
}

const ownMessage = (): TestedMessage => ({ type: OWN_TYPE, data: {} satisfies JsonObject });
