import { newId } from '@switchyard/kernel';
import { type Client, type Reply, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type InstalledApplication, dataOf, emission, eventTask, install } from './an-application';

const platform = usePlatform();
let space: TestSpace;
let installed: InstalledApplication;
let eventId: string;

beforeAll(async () => {
  space = await platform.newSpace();
  installed = await install(space);
  const query = `appIdentifier=${installed.identifier}&name=order.created`;
  [{ id: eventId }] = dataOf(await space.owner.get(`/events/registered?${query}`), 200);
});

const byHand = (client: Client, body: Record<string, unknown>, id = eventId): Promise<Reply> =>
  client.post(`/events/registered/${id}/emit`, body);
const payload = { order: 'o-1', total: 5 };

describe('an emission by hand', () => {
  it('is recorded in the name of the application, with the person as its actor, and runs what subscribes', async () => {
    const admin = await space.member('ADMIN');
    const taskId = await eventTask(space);
    const subscription = { appIdentifier: installed.identifier, event: 'order.created', taskId };
    dataOf(await space.owner.post('/events/subscriptions', subscription), 201);
    const { envelopeId } = dataOf(await byHand(admin, { payload }), 202);
    const envelope = await until(async () => {
      const read = dataOf(await space.owner.get(`/events/envelopes/${envelopeId as string}`), 200);
      return read.deliveries[0]?.status === 'TRIGGERED' && read;
    });
    expect(envelope).toMatchObject({
      appIdentifier: installed.identifier,
      event: 'order.created',
      payload,
      source: 'user',
      actorUserId: admin.identity.userId,
      depth: 0,
      causationId: null,
      matchedSubscriptions: 1,
    });
    const execution = dataOf(await space.owner.get(`/tasks/executions/${envelope.deliveries[0].executionId}`), 200);
    expect(execution.inputs.trigger).toMatchObject({ source: 'user', actorUserId: admin.identity.userId });
    const found = dataOf(await space.owner.get('/events/envelopes?source=user'), 200) as unknown as { id: string }[];
    expect(found.map(({ id }) => id)).toContain(envelopeId);
  });

  it('is recognised by its idempotency key, also beside the emissions of the application', async () => {
    const body = { payload, idempotencyKey: `k-${newId()}` };
    const first = dataOf(await byHand(space.owner, body), 202);
    expect(dataOf(await byHand(space.owner, body), 200)).toMatchObject({
      envelopeId: first.envelopeId,
      duplicate: true,
    });
    const own = await installed.app.post('/events/emit', emission(installed, body));
    expect(dataOf(own, 200).envelopeId).toBe(first.envelopeId);
    const conflict = await byHand(space.owner, { ...body, payload: { order: 'another' } });
    expect([conflict.status, conflict.body.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  });

  it('fits the schema of its event, or is refused', async () => {
    const misfit = await byHand(space.owner, { payload: { order: 7 } });
    expect([misfit.status, misfit.body]).toMatchObject([400, { code: 'EVENT_PAYLOAD_INVALID' }]);
    const heavy = await byHand(space.owner, { payload: { order: 'x'.repeat(600 * 1024) } });
    expect([heavy.status, heavy.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    for (const body of [{}, { payload: [] }, { payload, event: 'order.paid' }, { payload, idempotencyKey: '' }])
      expect((await byHand(space.owner, body)).status).toBe(400);
  });

  it('is for ADMIN and up, and for keys with events:write', async () => {
    expect((await byHand(await space.member('MEMBER'), { payload })).status).toBe(403);
    expect((await byHand(await space.key({ scopes: ['events:read'] }), { payload })).status).toBe(403);
    expect((await byHand(await space.key({ scopes: ['events:write'] }), { payload })).status).toBe(202);
    expect((await byHand(installed.app, { payload })).status).toBe(403);
    expect((await byHand(platform.anonymous, { payload })).status).toBe(401);
  });

  it('finds no event of another Space, of no application, or of a deleted application', async () => {
    const other = await platform.newSpace();
    expect((await byHand(other.owner, { payload })).status).toBe(404);
    expect((await byHand(space.owner, { payload }, newId())).status).toBe(404);
    expect((await byHand(space.owner, { payload }, 'no-id')).status).toBe(400);
    const uninstalled = await install(space);
    const query = `appIdentifier=${uninstalled.identifier}&name=order.created`;
    const [event] = dataOf(await space.owner.get(`/events/registered?${query}`), 200) as unknown as [{ id: string }];
    dataOf(await space.owner.delete(`/applications/${uninstalled.id}`), 200);
    expect((await byHand(space.owner, { payload }, event.id)).status).toBe(404);
  });
});
