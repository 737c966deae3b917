import { until, usePlatform } from '@switchyard/testing';
import { type InstalledApplication, dataOf, emission, eventTask, install } from './an-application';
import { executionsOf, settledEnvelope, subscribe } from './watching';

const platform = usePlatform();

async function ready() {
  const space = await platform.newSpace();
  const installed = await install(space);
  const taskId = await eventTask(space);
  await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', taskId });
  return { space, installed, taskId };
}

const send = (installed: InstalledApplication, order: string) =>
  installed.app.post('/events/emit', emission(installed, { payload: { order }, idempotencyKey: order }));

describe('emissions while NATS is away', () => {
  afterEach(async () => {
    await platform.server('nats').start();
    await platform.server('nats').ready();
  });

  it('are accepted, wait, and are dispatched once it is back, each once', async () => {
    const { space, installed, taskId } = await ready();
    // Its trigger may still be under way when the server goes, and is then sent again with the others.
    const before = dataOf(await send(installed, 'before'), 202).envelopeId as string;
    await platform.server('nats').stop();
    const waiting: string[] = [];
    for (const order of ['a', 'b', 'c']) {
      const accepted = dataOf(await send(installed, order), 202);
      expect(accepted).toMatchObject({ status: 'PENDING', duplicate: false });
      waiting.push(accepted.envelopeId as string);
    }
    expect(dataOf(await send(installed, 'a'), 200)).toMatchObject({ envelopeId: waiting[0], duplicate: true });
    expect((await installed.app.post('/events/emit', emission(installed, { payload: {} }))).body).toMatchObject({
      code: 'EVENT_PAYLOAD_INVALID',
    });
    await platform.server('nats').start();
    for (const id of [before, ...waiting])
      expect(await settledEnvelope(space, id, 1)).toMatchObject({ status: 'DISPATCHED', matchedSubscriptions: 1 });
    expect(await executionsOf(space, taskId)).toHaveLength(4);
  });

  it('survive a server that comes back without its data', async () => {
    const { space, installed, taskId } = await ready();
    const ids: string[] = [];
    for (const order of ['a', 'b']) ids.push(dataOf(await send(installed, order), 202).envelopeId as string);
    await platform.server('nats').wipe();
    await platform.server('nats').ready();
    const last = await until(async () => {
      const { status, body } = await send(installed, 'c');
      return status === 202 || status === 200 ? body.data : null;
    });
    ids.push(last.envelopeId as string);
    for (const id of ids) await settledEnvelope(space, id, 1, 60_000);
    expect(await executionsOf(space, taskId)).toHaveLength(3);
  });
});

describe('an emission that cannot be dispatched', () => {
  const cure = (): Promise<unknown> => platform.database.query('drop trigger if exists stuck on event_bus.emissions');
  afterEach(cure);

  it('is seen by operators for as long as it waits', async () => {
    const { space, installed } = await ready();
    await platform.database.query(`
      create or replace function event_bus.stuck() returns trigger language plpgsql as
        $$ begin if new.payload->>'order' = 'stuck' then raise exception 'stuck'; end if; return new; end $$;
      create or replace trigger stuck before update of status on event_bus.emissions for each row execute function event_bus.stuck()`);
    const id = dataOf(await send(installed, 'stuck'), 202).envelopeId as string;
    await platform.database.query(
      `update event_bus.emissions set emitted_at = emitted_at - interval '2 hours' where id = $1`,
      [id],
    );
    const oldest = (): Promise<number> =>
      platform.service('event-bus').metric('switchyard_emissions_oldest_pending_seconds');
    expect(Math.floor((await oldest()) / 60)).toBe(120);
    await cure();
    await settledEnvelope(space, id, 1);
    expect(await oldest()).toBeLessThan(60);
  });
});

describe('emissions around a crash of the event bus', () => {
  it('are recorded and started once, also if their callers repeat them', async () => {
    const { space, installed, taskId } = await ready();
    const orders = Array.from({ length: 60 }, (_, index) => `o-${index}`);
    const accepted = new Map<string, string>();
    const sending = orders.map(async (order, index) => {
      await until(
        async () => {
          const reply = await send(installed, order);
          if (reply.status !== 202 && reply.status !== 200) return false;
          accepted.set(order, (reply.body as { data: { envelopeId: string } }).data.envelopeId);
          return true;
        },
        { timeoutMs: 120_000, everyMs: 2_000 + 20 * index },
      );
    });
    await until(() => accepted.size >= 10);
    await platform.service('event-bus').crash();
    await Promise.all(sending);
    expect(new Set(accepted.values()).size).toBe(orders.length);
    for (const id of accepted.values()) {
      const envelope = await settledEnvelope(space, id, 1, 60_000);
      expect(envelope).toMatchObject({ status: 'DISPATCHED', matchedSubscriptions: 1 });
      expect(envelope.deliveries).toHaveLength(1);
    }
    const executions = await executionsOf(space, taskId);
    const started = executions.map((execution) => (execution.inputs.trigger?.payload as { order: string }).order);
    expect(started.sort()).toEqual([...orders].sort());
  }, 300_000);
});
