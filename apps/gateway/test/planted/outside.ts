import { until } from '@switchyard/testing';
import { contentsOf, type Maker } from './maker';

const CLOSED_PORT = 'http://127.0.0.2:9/x';
const ASSISTANT = '00000000-0000-7000-8000-000000000001';
/** One event of the platform of each service that raises some. */
const PLATFORM_EVENTS = [
  'agent.changed',
  'dataset.changed',
  'application.changed',
  'job.failed',
  'member.added',
  'limit.reached',
  'balance.low',
  'turn.failed',
  'execution.failed',
];

export interface Shop {
  applicationId: string;
  eventId: string;
  /** Of an emission. */
  emission: { appIdentifier: string; event: string; payload: object };
  systemApiKey: string;
}

/** An application with an event by hand, one by writes to a dataset, and a task that it brings. */
export async function application(maker: Maker, datasetId: string): Promise<Shop> {
  const identifier = `planted-${maker.space.id.slice(-12)}`;
  const manifest = {
    identifier,
    name: 'P',
    version: '1.0.0',
    events: [
      { name: 'tick', description: 'd', schema: { type: 'object' } },
      { name: 'row', schema: { type: 'object' }, emitOn: { dataset: datasetId, operations: ['delete'] } },
    ],
    subscriptions: [{ event: 'tick', task: { name: 'Pack', steps: [{ id: 'x', type: 'transform', with: { a: 1 } }] } }],
  };
  const { id: applicationId, systemApiKey } = await maker.create('/applications', { manifest });
  const registered = await maker.owner.get(`/events/registered?appIdentifier=${identifier}&name=tick`);
  const eventId = registered.body.data[0].id;
  return {
    applicationId,
    eventId,
    systemApiKey,
    emission: { appIdentifier: identifier, event: 'tick', payload: { a: 1 } },
  };
}

/** A service of the Space on NATS, members, invitations, a secret and keys. */
export async function people(maker: Maker): Promise<Record<'accountId' | 'secretId' | 'keyId', string>> {
  const { id: spaceId } = maker.space;
  const accounts = `/spaces/${spaceId}/nats-accounts`;
  const scopes = ['events:emit', 'agents:call'];
  const { id: accountId } = await maker.create(accounts, {
    name: 'billing',
    scopes,
    limits: { requestsPerMinute: 600 },
  });
  await maker.create(`${accounts}/${accountId as string}/rotate`, { graceSeconds: 3600 });
  const email = `planted-${spaceId}@test.example`;
  await maker.create(`/spaces/${spaceId}/members`, { email, role: 'MEMBER' });
  const { operator } = maker.space;
  await maker.create(`/operator/spaces/${spaceId}/credits`, { tokens: 1_000, note: 'n' }, operator);
  const { id: secretId } = await maker.create('/secrets', {
    name: 'S',
    description: 'd',
    value: 'x',
    hosts: ['example.com'],
  });
  const limits = { dailyTokens: 1_000_000 };
  const { id: keyId, key } = await maker.create('/api-keys', { name: 'k', description: 'd', limits });
  const limited = maker.owner.as(`Bearer ${key as string}`);
  const made = await maker.create('/api-keys', { name: 'by key', scopes: ['agents:call'] }, limited);
  const turn = { stream: false, contents: contentsOf('hello') };
  await maker.create(`/agents/${ASSISTANT}/chat`, turn, maker.owner.as(`Bearer ${made.key as string}`));
  return { accountId, secretId, keyId };
}

/** Subscriptions, endpoints over HTTP and NATS, an emission and what came of it. */
export async function deliveries(
  maker: Maker,
  shop: Shop,
  { taskId, accountId }: { taskId: string; accountId: string },
): Promise<Record<'subscriptionId' | 'endpointId' | 'envelopeId', string>> {
  const { appIdentifier, event } = shop.emission;
  const subscribe = (body: object) => maker.create('/events/subscriptions', { appIdentifier, event, ...body });
  const { id: subscriptionId } = await subscribe({ taskId, filter: { a: 1 } });
  for (const name of PLATFORM_EVENTS) await subscribe({ appIdentifier: 'switchyard', event: name, taskId });
  const endpoint = { name: 'e', url: CLOSED_PORT, headers: { 'X-Team': 'blue' } };
  const { id: endpointId } = await maker.create('/events/endpoints', endpoint);
  const natsEndpoint = { name: 'n', transport: 'nats', natsAccountId: accountId };
  await maker.create('/events/endpoints', natsEndpoint);
  await maker.create(`/events/endpoints/${endpointId as string}/rotate-secret`, { graceSeconds: 3600 });
  await subscribe({ endpointId });
  const app = maker.owner.as(`Bearer ${shop.systemApiKey}`);
  const { envelopeId } = await maker.create('/events/emit', { ...shop.emission, idempotencyKey: 'once' }, app);
  await until(async () => {
    const { body } = await maker.owner.get(`/events/endpoints/${endpointId as string}/deliveries`);
    return (body.data[0]?.attemptCount ?? 0) > 0;
  });
  // Only a replay with a key keeps its record.
  const withKey = { headers: { 'idempotency-key': 'replay-once' } };
  const since = { from: '2026-01-01T00:00:00.000Z' };
  await maker.create(`/events/endpoints/${endpointId as string}/replay`, since, maker.owner, withKey);
  return { subscriptionId, endpointId, envelopeId };
}
