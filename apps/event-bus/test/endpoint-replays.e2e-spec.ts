import { until, usePlatform } from '@switchyard/testing';
import { dataOf } from './an-application';
import { createEndpoint, readEndpoint } from './an-endpoint';
import { missedDeliveries, replaysOf } from './missed-deliveries';
import { Receiver } from './receiver';

const platform = usePlatform();
const MOST = 100_000;

let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.open();
});
afterAll(() => {
  receiver.close();
});

describe('a replay of a range to an endpoint', () => {
  it('has 100,000 deliveries at most, the oldest first, and the next one has the others', async () => {
    const { space, endpointId, from } = await missedDeliveries(platform, receiver.url, MOST + 2);
    // On a busy machine it takes longer than a request waits.
    const matched = await until(
      async () => {
        const headers = { 'idempotency-key': 'all' };
        const answer = await space.owner.post(`/events/endpoints/${endpointId}/replay`, { from }, { headers });
        return answer.status === 409 ? null : (dataOf(answer, 202).matched as number);
      },
      { timeoutMs: 240_000, everyMs: 1_000 },
    );
    expect(matched).toBe(MOST);
    // The two newest are left.
    const remaining = await platform.database.query<{ newest: boolean }>(
      `select emitted_at >= (select max(emitted_at) - interval '1 second' from event_bus.emissions where space_id = $1) as newest
         from event_bus.emissions m where space_id = $1
          and not exists (select 1 from event_bus.endpoint_deliveries d where d.envelope_id = m.id and d.replay = 1)`,
      [space.id],
    );
    expect(remaining).toEqual([{ newest: true }, { newest: true }]);
    expect((await readEndpoint(space.owner, endpointId)).active).toBe(false);
  }, 300_000);

  it('is made once for each idempotency key, and says the same number again', async () => {
    const { space, endpointId, from } = await missedDeliveries(platform, receiver.url, 4_500);
    const replay = (body: object = { from }) =>
      space.owner.post(`/events/endpoints/${endpointId}/replay`, body, { headers: { 'idempotency-key': 'once' } });
    const [first, second] = await Promise.all([replay(), replay()]);
    const last = await replay();
    const answers = [first, second, last].filter(({ status }) => status === 202);
    expect(answers.length).toBeGreaterThanOrEqual(2);
    for (const { body } of answers) expect(body.data).toEqual({ id: expect.any(String) as string, matched: 4_500 });
    expect(last.headers['idempotency-replayed']).toBe('true');
    expect(await replaysOf(platform, endpointId)).toEqual({ 1: 4_500 });
    expect((await replay({ from, status: 'DELIVERED' })).body).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  }, 120_000);

  it('beside another one sends each envelope again in one of them, and both numbers are true', async () => {
    const { space, endpointId, from } = await missedDeliveries(platform, receiver.url, 6_000);
    // It takes deliveries, so that what one of them has added is not FAILED for the other; but not yet.
    await platform.database.query(
      `update event_bus.endpoints set active = true, next_try_at = now() + interval '1 day' where id = $1`,
      [endpointId],
    );
    const answers = await Promise.all(
      [1, 2, 3].map(() => space.owner.post(`/events/endpoints/${endpointId}/replay`, { from })),
    );
    const matched = answers.map((answer) => Number(dataOf(answer, 202).matched));
    expect(matched.reduce((sum, each) => sum + each, 0)).toBe(6_000);
    expect(await replaysOf(platform, endpointId)).toEqual({ 1: 6_000 });
    // A repeat without an idempotency key cannot name these replays.
    const records = await platform.database.query('select 1 from event_bus.endpoint_replays where endpoint_id = $1', [
      endpointId,
    ]);
    expect(records).toEqual([]);
    await space.owner.delete(`/events/endpoints/${endpointId}`);
  }, 120_000);

  it('runs at most eight times at once for an endpoint', async () => {
    const space = await platform.newSpace();
    const { id } = await createEndpoint(space, receiver.url);
    await platform.database.query(
      `insert into event_bus.endpoint_replays (space_id, id, endpoint_id, status, after_time, before_time, lease_until)
       select $1, gen_random_uuid(), $2, 'FAILED', now(), now(), 'infinity' from generate_series(1, 8)`,
      [space.id, id],
    );
    const body = { from: new Date().toISOString() };
    const refused = await space.owner.post(`/events/endpoints/${id}/replay`, body);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // Another process has lost them: they are continued, and there is room again.
    await platform.database.query(`update event_bus.endpoint_replays set lease_until = now() where endpoint_id = $1`, [
      id,
    ]);
    await until(async () => (await space.owner.post(`/events/endpoints/${id}/replay`, body)).status === 202);
  }, 120_000);
});
