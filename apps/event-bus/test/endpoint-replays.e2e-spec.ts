import { until, usePlatform } from '@switchyard/testing';
import { emission, install } from './an-application';
import { createEndpoint, deliveriesOf, readEndpoint } from './an-endpoint';
import { Receiver } from './receiver';
import { subscribe } from './watching';

const platform = usePlatform();
const MOST = 100_000;

it('a replay of an endpoint has 100,000 deliveries at most, the oldest first, and the next one has the others', async () => {
  const space = await platform.newSpace();
  const installed = await install(space);
  const receiver = await Receiver.open();
  const { id } = await createEndpoint(space, receiver.url, { active: false });
  await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', endpointId: id });
  await installed.app.post('/events/emit', emission(installed));
  await until(async () => (await deliveriesOf(space, id)).length === 1);
  // Two more than are replayed at a time, a second apart.
  await platform.database.query(
    `with model as (select * from event_bus.emissions where space_id = $1),
     made as (
       insert into event_bus.emissions (space_id, id, lane, app_identifier, event, event_id, payload, source, status,
         correlation_id, depth, emitted_at, payload_bytes)
       select space_id, gen_random_uuid(), lane, app_identifier, event, event_id, payload, source, status, gen_random_uuid(), depth,
              emitted_at - make_interval(secs => n), payload_bytes from model, generate_series(1, $3::int) n
       returning space_id, id, event, emitted_at)
     insert into event_bus.endpoint_deliveries (space_id, id, envelope_id, endpoint_id, event, emitted_at, replay, bytes, status, error)
     select space_id, gen_random_uuid(), id, $2, event, emitted_at, 0, 100, 'FAILED', 'ENDPOINT_DISABLED' from made`,
    [space.id, id, MOST + 1],
  );
  // On a busy machine the database stops the request; then nothing of it is replayed.
  const replay = (): Promise<number> =>
    until(
      async () => {
        const from = new Date(Date.now() - 3 * MOST * 1_000).toISOString();
        const { status, body } = await space.owner.post(`/events/endpoints/${id}/replay`, { from });
        if (status === 503) return null;
        expect(status).toBe(202);
        return (body.data as { matched: number }).matched;
      },
      { timeoutMs: 120_000, everyMs: 1_000 },
    );
  expect(await replay()).toBe(MOST);
  // The two newest are left.
  const remaining = await platform.database.query<{ newest: boolean }>(
    `select emitted_at >= (select max(emitted_at) - interval '1 second' from event_bus.emissions where space_id = $1) as newest
       from event_bus.emissions m where space_id = $1
        and not exists (select 1 from event_bus.endpoint_deliveries d where d.envelope_id = m.id and d.replay = 1)`,
    [space.id],
  );
  expect(remaining).toEqual([{ newest: true }, { newest: true }]);
  expect((await readEndpoint(space.owner, id)).active).toBe(false);
  receiver.close();
}, 300_000);
