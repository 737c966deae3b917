import { until, usePlatform } from '@switchyard/testing';
import { dataOf } from './an-application';
import { missedDeliveries, replaysOf } from './missed-deliveries';
import { Receiver } from './receiver';

const platform = usePlatform();
const ENVELOPES = 9_000;

describe('kill -9 of the event bus while a replay to an endpoint is made', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.open();
  });
  afterAll(() => {
    receiver.close();
  });

  it('loses and doubles nothing: a repeat with the same idempotency key has the true number', async () => {
    const { space, endpointId, from } = await missedDeliveries(platform, receiver.url, ENVELOPES);
    await platform.service('event-bus').arm('event-bus.replay-advanced', 'kill', { atHit: 2 });
    const answer = await until(
      async () => {
        const headers = { 'idempotency-key': 'after-a-kill' };
        const answer = await space.owner.post(`/events/endpoints/${endpointId}/replay`, { from }, { headers });
        return answer.status === 202 ? answer : null;
      },
      { timeoutMs: 120_000, everyMs: 500 },
    );
    expect(dataOf(answer, 202).matched).toBe(ENVELOPES);
    expect(await replaysOf(platform, endpointId)).toEqual({ 1: ENVELOPES });
  }, 300_000);

  it.each([
    ['with an idempotency key', { 'idempotency-key': 'slow' }, 'repeat the request with its idempotency key', true],
    ['without one', {}, 'Do not repeat the request', false],
  ] as const)(
    'that takes long, asked for %s, says whether to repeat it',
    async (_, headers, advice, mayRepeat) => {
      const { space, endpointId, from } = await missedDeliveries(platform, receiver.url, 3_000);
      const eventBus = platform.service('event-bus');
      await eventBus.ready();
      const queuedBefore = await eventBus.metric('switchyard_endpoint_replays_envelopes_total');
      await eventBus.arm('event-bus.replay-advanced', 'delay', { delayMs: 60_000 });
      const {
        status,
        body,
        headers: answered,
      } = await space.owner.post(`/events/endpoints/${endpointId}/replay`, { from }, { headers });
      expect([status, body.code]).toEqual([409, 'REQUEST_IN_PROGRESS']);
      expect(body.message).toContain(advice);
      expect([answered['x-should-retry'] !== 'false', answered['retry-after'] !== undefined]).toEqual([
        mayRepeat,
        mayRepeat,
      ]);
      expect(await eventBus.metric('switchyard_endpoint_replays_running')).toBe(1);
      await until(async () => (await replaysOf(platform, endpointId))[1] === 3_000, { timeoutMs: 120_000 });
      await until(async () => (await eventBus.metric('switchyard_endpoint_replays_running')) === 0);
      expect(await eventBus.metric('switchyard_endpoint_replays_envelopes_total')).toBe(queuedBefore + 3_000);
    },
    300_000,
  );

  it('is continued without a repeat, too', async () => {
    const { space, endpointId, from } = await missedDeliveries(platform, receiver.url, ENVELOPES);
    await platform.service('event-bus').arm('event-bus.replay-advanced', 'kill', { atHit: 2 });
    const { status } = await space.owner.post(`/events/endpoints/${endpointId}/replay`, { from });
    expect(status).toBeGreaterThanOrEqual(500);
    await until(async () => (await replaysOf(platform, endpointId))[1] === ENVELOPES, { timeoutMs: 120_000 });
    expect(await replaysOf(platform, endpointId)).toEqual({ 1: ENVELOPES });
  }, 300_000);
});
