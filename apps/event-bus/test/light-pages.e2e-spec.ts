import { Database } from '@switchyard/database';
import { usePlatform } from '@switchyard/testing';
import { SubscriptionsRepository } from '../src/db/subscriptions.repository';
import { EventBusConfig } from '../src/event-bus.config';
import { dataOf, eventTask, install } from './an-application';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const PAGE_BYTES = 2 * 1024 * 1024;
const COUNT = 60;

describe('a page of subscriptions', () => {
  it('is cut to 2 MiB by the database, which does not send the other filters', async () => {
    const space = await platform.newSpace();
    const { identifier } = await install(space);
    const taskId = await eventTask(space);
    const body = { appIdentifier: identifier, event: 'order.created', taskId, active: false };
    const { id } = dataOf(await space.owner.post('/events/subscriptions', body), 201);
    // As filters could be before they had a limit: they are still read up to four times that.
    await platform.database.query(
      `insert into event_bus.subscriptions (space_id, id, event_id, task_id, filter, active, origin)
       select space_id, gen_random_uuid(), event_id, task_id, jsonb_build_object('order', repeat('x', 60000) || n), false, 'USER'
       from event_bus.subscriptions cross join generate_series(1, $2::int) n where id = $1`,
      [id, COUNT],
    );
    const url = platform.state.databaseLogins['event-bus'] ?? '';
    const database = new Database({ service: 'event-bus', url, poolSize: 1, log });
    await database.connect();
    const rows = await database.inSpace(space.id, (tx) =>
      new SubscriptionsRepository(new EventBusConfig()).list(tx, space.id, {}, { after: null, take: 101 }),
    );
    await database.close();
    expect(rows[0]?.found).toBe(COUNT + 1);
    expect(rows.length).toBeGreaterThan(1);
    expect(Buffer.byteLength(JSON.stringify(rows))).toBeLessThan(PAGE_BYTES * 1.1);
  });
});
