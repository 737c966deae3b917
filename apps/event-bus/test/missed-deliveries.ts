import { type TestPlatform, type TestSpace, until } from '@switchyard/testing';
import { type InstalledApplication, emission, install } from './an-application';
import { createEndpoint, deliveriesOf } from './an-endpoint';
import { subscribe } from './watching';

interface Missed {
  space: TestSpace;
  installed: InstalledApplication;
  endpointId: string;
  /** Before all of them. */
  from: string;
}

/** An endpoint that was switched off while `count` envelopes came, a second apart. */
export async function missedDeliveries(platform: TestPlatform, url: string, count: number): Promise<Missed> {
  const space = await platform.newSpace();
  const installed = await install(space);
  const { id } = await createEndpoint(space, url, { active: false });
  await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', endpointId: id });
  await installed.app.post('/events/emit', emission(installed));
  await until(async () => (await deliveriesOf(space, id)).length === 1);
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
    [space.id, id, count - 1],
  );
  return { space, installed, endpointId: id, from: new Date(Date.now() - 3 * count * 1_000 - 60_000).toISOString() };
}

/** How many envelopes have which number of replays. */
export async function replaysOf(platform: TestPlatform, endpointId: string): Promise<Record<string, number>> {
  const rows = await platform.database.query<{ replays: number; envelopes: number }>(
    `select replays, count(*)::int as envelopes from (
       select count(*) filter (where replay > 0)::int as replays from event_bus.endpoint_deliveries where endpoint_id = $1 group by envelope_id) each
      group by replays`,
    [endpointId],
  );
  return Object.fromEntries(rows.map(({ replays, envelopes }) => [replays, envelopes]));
}
