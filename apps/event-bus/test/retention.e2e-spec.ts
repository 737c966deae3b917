import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type InstalledApplication, dataOf, emission, eventTask, install } from './an-application';
import { settledEnvelope, subscribe } from './watching';

const platform = usePlatform();

const emit = async (installed: InstalledApplication, changes: Record<string, unknown> = {}): Promise<string> =>
  dataOf(await installed.app.post('/events/emit', emission(installed, changes)), 202).envelopeId as string;

/** As if it had been emitted, and delivered, so many days ago. */
async function age(space: TestSpace, envelopeId: string, days: number): Promise<void> {
  const params = [space.id, envelopeId, days];
  await platform.database.query(
    `update event_bus.deliveries set created_at = now() - make_interval(days => $3) where space_id = $1 and envelope_id = $2`,
    params,
  );
  await platform.database.query(
    `update event_bus.emissions set emitted_at = now() - make_interval(days => $3) where space_id = $1 and id = $2`,
    params,
  );
}

const statusOf = async (space: TestSpace, id: string): Promise<number> =>
  (await space.owner.get(`/events/envelopes/${id}`)).status;

const isDeleted = (space: TestSpace, id: string): Promise<boolean> =>
  until(async () => (await statusOf(space, id)) === 404, { timeoutMs: 60_000 });

describe('the log of emissions', () => {
  it('keeps an envelope for 90 days, replays included, and its idempotency key as long', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const taskId = await eventTask(space);
    await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', taskId });
    const past = await emit(installed, { idempotencyKey: 'past' });
    const within = await emit(installed, { idempotencyKey: 'within' });
    for (const id of [past, within]) await settledEnvelope(space, id, 1);
    await age(space, within, 89);
    await age(space, past, 91);
    await isDeleted(space, past);
    expect(await statusOf(space, within)).toBe(200);
    const remaining = await platform.database.query('select 1 from event_bus.deliveries where envelope_id = $1', [
      past,
    ]);
    expect(remaining).toHaveLength(0);
    const again = await installed.app.post('/events/emit', emission(installed, { idempotencyKey: 'within' }));
    expect(again).toMatchObject({ status: 200, body: { data: { envelopeId: within, duplicate: true } } });
    expect(await emit(installed, { idempotencyKey: 'past' })).not.toBe(past);
    expect((await space.owner.post(`/events/envelopes/${within}/replay`)).status).toBe(202);
    expect((await settledEnvelope(space, within, 2)).deliveries).toHaveLength(2);
  });

  it('keeps what still waits, and what was replayed lately, however old it is', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const taskId = await eventTask(space);
    await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', taskId });
    const [past, waiting, replayed] = [await emit(installed), await emit(installed), await emit(installed)];
    for (const id of [past, waiting, replayed]) await settledEnvelope(space, id, 1);
    await platform.database.query(`update event_bus.deliveries set status = 'PENDING' where envelope_id = $1`, [
      waiting,
    ]);
    // A delivery of today, because it was replayed today: not aged along with its envelope.
    await platform.database.query(
      `update event_bus.emissions set emitted_at = now() - interval '400 days' where id = $1`,
      [replayed],
    );
    await age(space, waiting, 400);
    await age(space, past, 400);
    // A row removed by the same sweep shows that the others were examined.
    await isDeleted(space, past);
    expect(await statusOf(space, replayed)).toBe(200);
    expect(await statusOf(space, waiting)).toBe(200);
  });

  it('forgets the events of an uninstalled application, but for those that a subscription or an envelope names', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const taskId = await eventTask(space);
    const event = (name: string) => ({ appIdentifier: installed.identifier, event: name, taskId });
    await subscribe(space, event('order.created'));
    const idle = await install(space);
    await emit(idle, { event: 'order.paid' });
    for (const { id } of [installed, idle]) dataOf(await space.owner.delete(`/applications/${id}`), 200);
    await platform.database.query(
      `update event_bus.registered_events set updated_at = now() - interval '91 days' where space_id = $1`,
      [space.id],
    );
    const names = async (): Promise<string> =>
      (
        await platform.database.query<{ name: string }>(
          'select app_identifier || name as name from event_bus.registered_events where space_id = $1',
          [space.id],
        )
      )
        .map(({ name }) => name)
        .sort()
        .join();
    const kept = [`${installed.identifier}order.created`, `${idle.identifier}order.paid`].sort().join();
    await until(async () => (await names()) === kept, { timeoutMs: 60_000 });
  });
});
