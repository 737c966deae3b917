import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type InstalledApplication, dataOf, emission, install } from './an-application';
import { type Endpoint, createEndpoint, deliveriesOf, readEndpoint, settledDeliveries } from './an-endpoint';
import { Receiver } from './receiver';
import { subscribe } from './watching';

const platform = usePlatform();
let receiver: Receiver;
let space: TestSpace;
let installed: InstalledApplication;

beforeAll(async () => {
  receiver = await Receiver.open();
  space = await platform.newSpace();
  installed = await install(space);
});
afterAll(() => {
  receiver.close();
});

/** Values that cannot be decrypted, and an invalid address. */
const DAMAGES = [
  ['headers', 'v2.AAAAAAAA', 'The headers of the endpoint cannot be decrypted.'],
  ['secret', 'other text', 'The secret of the endpoint cannot be decrypted.'],
  ['url', 'no address', 'The address of the endpoint cannot be read.'],
] as const;

async function mend(endpoint: Endpoint, field: (typeof DAMAGES)[number][0]): Promise<void> {
  const path = `/events/endpoints/${endpoint.id}`;
  if (field === 'secret') dataOf(await space.owner.post(`${path}/rotate-secret`, {}), 200);
  else {
    const given = field === 'url' ? { url: receiver.url } : { headers: { 'X-Team': 'green' } };
    dataOf(await space.owner.patch(path, given), 200);
  }
}

describe.each(DAMAGES)('an endpoint whose %s cannot be read', (field, value, problem) => {
  let endpoint: Endpoint;
  beforeAll(async () => {
    endpoint = await createEndpoint(space, receiver.url, { headers: { 'X-Team': 'blue' } });
    const event = { appIdentifier: installed.identifier, event: 'order.created', endpointId: endpoint.id };
    await subscribe(space, event);
    await platform.database.query(`update event_bus.endpoints set ${field} = $2 where id = $1`, [endpoint.id, value]);
  });

  it('is listed and shown, and says so to those in charge', async () => {
    const shown = { id: endpoint.id, problem: expect.stringContaining(problem) };
    expect(await readEndpoint(space.owner, endpoint.id)).toMatchObject(shown);
    const listed: Endpoint[] = dataOf(await space.owner.get('/events/endpoints?limit=100'), 200);
    expect(listed).toContainEqual(expect.objectContaining(shown));
    expect((await (await space.member()).get('/events/endpoints')).status).toBe(200);
  });

  it('refuses a test, a resume and a replay, and fails what is sent to it', async () => {
    const refused = { status: 409, body: { code: 'CONFLICT', message: expect.stringContaining(problem) } };
    for (const [action, body] of [
      ['test', {}],
      ['resume', {}],
      ['replay', { from: '2026-01-01T00:00:00Z' }],
    ] as const)
      expect(await space.owner.post(`/events/endpoints/${endpoint.id}/${action}`, body)).toMatchObject(refused);
    const { envelopeId } = dataOf(await installed.app.post('/events/emit', emission(installed, {})), 202);
    const deliveries = await settledDeliveries(space, envelopeId as string);
    expect(deliveries.find(({ endpointId }) => endpointId === endpoint.id)).toMatchObject({
      status: 'FAILED',
      attempts: [{ status: null, error: { code: 'ENDPOINT_UNREADABLE', message: expect.stringContaining(problem) } }],
    });
  });

  it('is whole again once it is saved', async () => {
    await mend(endpoint, field);
    expect(await readEndpoint(space.owner, endpoint.id)).not.toHaveProperty('problem');
    const tested = dataOf(await space.owner.post(`/events/endpoints/${endpoint.id}/test`, {}), 200);
    expect(tested).toMatchObject({ status: 200, error: null });
    dataOf(await space.owner.delete(`/events/endpoints/${endpoint.id}`), 200);
  });
});

describe('an endpoint that sends a secret which cannot be decrypted', () => {
  it('has its deliveries retried, until the secret is saved again', async () => {
    const { id: secretId } = dataOf(await space.owner.post('/secrets', { name: 'DAMAGED', value: 'v-1' }), 201);
    const headers = { 'X-Key': '{{ secrets.DAMAGED }}' };
    const endpoint = await createEndpoint(space, receiver.url, { headers });
    const event = { appIdentifier: installed.identifier, event: 'order.created', endpointId: endpoint.id };
    await subscribe(space, event);
    await platform.database.query('update key.secrets set sealed = set_byte(sealed, 1, 99) where id = $1', [secretId]);
    const { envelopeId } = dataOf(await installed.app.post('/events/emit', emission(installed, {})), 202);
    const failed = await until(async () => {
      const [found] = await deliveriesOf(space, endpoint.id);
      return found && found.attemptCount >= 1 ? found : null;
    });
    expect(failed).toMatchObject({ envelopeId, status: 'PENDING' });
    expect(failed.attempts[0]).toMatchObject({
      error: { code: 'SECRET_UNREADABLE', message: expect.stringContaining('The secret DAMAGED') },
    });
    dataOf(await space.owner.put(`/secrets/${secretId as string}`, { value: 'v-2' }), 200);
    await platform.database.query('update event_bus.endpoint_deliveries set run_at = now() where id = $1', [failed.id]);
    await until(async () => (await deliveriesOf(space, endpoint.id))[0]?.status === 'DELIVERED');
    expect(receiver.received.at(-1)?.headers['x-key']).toBe('v-2');
  });
});
