import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestSpace, expectWithin, until, usePlatform } from '@switchyard/testing';
import { type InstalledApplication, dataOf, emission, eventTask, install } from './an-application';
import { readEnvelope, settledEnvelope, subscribe } from './watching';

const platform = usePlatform();

async function ready(subscriptions = 1) {
  const space = await platform.newSpace();
  const installed = await install(space);
  const taskId = await eventTask(space, { steps: [{ id: 'end', type: 'transform', with: {} }] });
  for (let at = 0; at < subscriptions; at += 1)
    await subscribe(space, {
      appIdentifier: installed.identifier,
      event: 'order.created',
      taskId,
      filter: { order: { ne: `${at}` } },
    });
  return { space, installed, taskId };
}

const send = (installed: InstalledApplication, order: string) =>
  installed.app.post('/events/emit', emission(installed, { payload: { order } }));

const idOf = async (installed: InstalledApplication, order: string): Promise<string> =>
  dataOf(await send(installed, order), 202).envelopeId as string;

describe('an emission while NATS is frozen with its connections open', () => {
  afterEach(() => {
    platform.server('nats').resume();
  });

  it('is accepted within three seconds, like the sign-in of its key, and takes effect once NATS goes on', async () => {
    const { space, installed } = await ready();
    await settledEnvelope(space, await idOf(installed, 'before'), 1);
    platform.server('nats').pause();
    const ids: string[] = [];
    await expectWithin(3_000, async () => {
      const began = Date.now();
      const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => send(installed, `frozen-${at}`)));
      for (const reply of replies) {
        expect(dataOf(reply, 202)).toMatchObject({ status: 'PENDING', duplicate: false });
        ids.push(dataOf(reply, 202).envelopeId as string);
      }
      return Date.now() - began;
    });
    platform.server('nats').resume();
    for (const id of ids) expect((await settledEnvelope(space, id, 1)).deliveries).toHaveLength(1);
    // The request sent before the timeout arrives now: it is the same emission.
    await settledEnvelope(space, await idOf(installed, 'after'), 1);
    const [{ count } = { count: 0 }] = await platform.database.query<{ count: number }>(
      'select count(*)::int as count from event_bus.emissions where space_id = $1',
      [space.id],
    );
    expect(count).toBe(ids.length + 2);
  }, 300_000);

  it('is accepted as well when the server ends while it is under way', async () => {
    const { space, installed } = await ready();
    await settledEnvelope(space, await idOf(installed, 'before'), 1);
    platform.server('nats').pause();
    const sent = Promise.all(Array.from({ length: 20 }, (_, at) => send(installed, `lost-${at}`)));
    // On the line by now, and not yet long enough there for the server to be taken for frozen.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await platform.server('nats').kill();
    const replies = await sent;
    await platform.server('nats').ready();
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 202));
    for (const reply of replies)
      expect((await settledEnvelope(space, dataOf(reply, 202).envelopeId as string, 1)).deliveries).toHaveLength(1);
  }, 300_000);
});

describe('a Space whose emissions are not delivered', () => {
  afterEach(async () => {
    await platform.service('task').start();
    await platform.service('task').ready();
  });

  it('is refused at its quota with the time to come back, and no other Space is', async () => {
    const hostile = await ready();
    const neighbour = await ready();
    await platform.service('task').stop();
    for (const order of ['a', 'b', 'c', 'd']) await idOf(hostile.installed, order);
    // As if each of them were large.
    await platform.database.query(
      'update event_bus.emissions set payload_bytes = 16 * 1024 * 1024 where space_id = $1',
      [hostile.space.id],
    );
    const refused = await until(async () => {
      const reply = await send(hostile.installed, 'one more');
      return reply.status === 202 ? null : reply;
    });
    expect([refused.status, refused.body]).toMatchObject([429, { code: 'RATE_LIMITED' }]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const [replayable] = (
      await platform.database.query<{ id: string }>('select id from event_bus.emissions where space_id = $1 limit 1', [
        hostile.space.id,
      ])
    ).map(({ id }) => id);
    expect((await hostile.space.owner.post(`/events/envelopes/${replayable ?? ''}/replay`, {})).status).toBe(429);
    const id = await idOf(neighbour.installed, 'small');
    await platform.service('task').start();
    await settledEnvelope(neighbour.space, id, 1);
    // Accepted emissions are dispatched, and the Space can emit again.
    await until(async () => (await send(hostile.installed, 'again')).status === 202, { timeoutMs: 120_000 });
  }, 300_000);
});

describe('a Space over its quota of triggers', () => {
  const service = () => platform.service('event-bus');
  const restart = async (settings: Record<string, string> = {}): Promise<void> => {
    await service().restart(settings);
    await service().ready();
  };
  afterEach(async () => {
    await platform.database.query('drop trigger if exists keep on event_bus.outbox');
    await platform.database.query('delete from event_bus.outbox where order_key = $1', ['stuck']);
    await restart();
  });

  const shardOf = async (id: string): Promise<number> => {
    const rows = await platform.database.query<{ lane: number }>('select lane from event_bus.emissions where id = $1', [
      id,
    ]);
    return rows[0]?.lane ?? NaN;
  };

  /** Emissions of a data event, which are never refused: more like this one, in any lane. */
  const record = (id: string, shard: number, count: number, order: string) =>
    platform.database.query(
      `insert into event_bus.emissions (id, space_id, lane, app_identifier, event, event_id, payload, payload_bytes, source, status, correlation_id, depth, emitted_at)
       select gen_random_uuid(), space_id, $2, app_identifier, event, event_id, jsonb_build_object('order', $4::text), 20, 'datasource', 'PENDING', gen_random_uuid(), 0, clock_timestamp()
         from event_bus.emissions, generate_series(1, $3) where id = $1`,
      [id, shard, count, order],
    );

  const recorded = async (space: TestSpace, order: string): Promise<Record<string, number>> => {
    const rows = await platform.database.query<{ is: string; count: number }>(
      `select case when status = 'PENDING' and next_attempt_at <= clock_timestamp() then 'DUE' else status end as is, count(*)::int as count
         from event_bus.emissions where space_id = $1 and payload->>'order' = $2 group by 1`,
      [space.id, order],
    );
    return Object.fromEntries(rows.map(({ is, count }) => [is, count]));
  };

  const waiting = async (space: TestSpace): Promise<number> => {
    const rows = await platform.database.query<{ count: number }>(
      `select count(*)::int as count from event_bus.outbox where ctx->>'spaceId' = $1`,
      [space.id],
    );
    return rows[0]?.count ?? NaN;
  };

  const statusesOf = async (space: TestSpace): Promise<Record<string, number>> => {
    const rows = await platform.database.query<{ status: string; count: number }>(
      'select status, count(*)::int as count from event_bus.emissions where space_id = $1 group by 1',
      [space.id],
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  };

  /** Triggers that do not leave: a confirmed one is found there again. */
  const keepTriggers = (space: TestSpace): Promise<unknown> =>
    platform.database.query(`
      create or replace function event_bus.keep() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger keep before delete on event_bus.outbox for each row
        when (old.ctx->>'spaceId' = '${space.id}') execute function event_bus.keep()`);
  const letGo = async (space: TestSpace): Promise<void> => {
    await platform.database.query('drop trigger keep on event_bus.outbox');
    await platform.database.query(`delete from event_bus.outbox where ctx->>'spaceId' = $1`, [space.id]);
  };

  it('waits at its place, loses nothing, and holds up no other Space of its lane', async () => {
    await restart({ EVENT_BACKLOG_MAX_BYTES: `${1024 * 1024}` });
    const [hostile, neighbour] = [await ready(0), await ready()];
    const event = 'order.paid';
    await subscribe(hostile.space, { appIdentifier: hostile.installed.identifier, event, taskId: hostile.taskId });
    const like = await idOf(hostile.installed, 'first');
    await settledEnvelope(hostile.space, like);
    const earlier = await idOf(neighbour.installed, 'before');
    await settledEnvelope(neighbour.space, earlier, 1);
    // Triggers that do not leave.
    await platform.database.query(
      `insert into event_bus.outbox (id, name, at, ctx, data, order_key, pending, locked_until)
       select gen_random_uuid(), 'event-bus.stuck', clock_timestamp(), jsonb_build_object('spaceId', $1::text),
              to_jsonb(string_agg(md5(random()::text), '')), 'stuck', '{task}', clock_timestamp() + interval '1 day'
         from generate_series(1, 100000)`,
      [hostile.space.id],
    );
    // The backlog is measured after an emission that waits. Without a subscription none waits.
    const paid = emission(hostile.installed, { event, payload: { order: 'refused soon' } });
    await until(async () => (await hostile.installed.app.post('/events/emit', paid)).status === 429);
    await record(like, await shardOf(earlier), 1_000, 'flood');
    await settledEnvelope(neighbour.space, await idOf(neighbour.installed, 'behind'), 1);
    expect(await recorded(hostile.space, 'flood')).toEqual({ DUE: 1_000 });
    await platform.database.query('delete from event_bus.outbox where order_key = $1', ['stuck']);
    await until(async () => (await recorded(hostile.space, 'flood'))['DISPATCHED'] === 1_000, { timeoutMs: 120_000 });
  }, 300_000);

  it('has an eighth of its quota on the way at a time, so that those of others do not stand behind it', async () => {
    const quota = 16 * 1024 * 1024;
    await restart({ EVENT_BACKLOG_MAX_BYTES: `${quota}` });
    const { space, installed } = await ready();
    const large = randomBytes(150 * 1024).toString('base64');
    await settledEnvelope(space, await idOf(installed, large), 1);
    await keepTriggers(space);
    const replies = await Promise.all(Array.from({ length: 50 }, (_, at) => send(installed, `${at}${large}`)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));
    await until(async () => ((await statusesOf(space))['DISPATCHED'] ?? 0) > 1);
    // As long as they do not leave, no more are made.
    await sleep(3_000);
    expect((await statusesOf(space))['PENDING']).toBeGreaterThan(0);
    await letGo(space);
    await until(async () => Object.keys(await statusesOf(space)).join() === 'DISPATCHED', { timeoutMs: 120_000 });
  }, 300_000);

  it('is refused before it has made more, however many ask at once and however fast it is replayed', async () => {
    const quota = 1024 * 1024;
    await restart({ EVENT_BACKLOG_MAX_BYTES: `${quota}` });
    const { space, installed } = await ready();
    // The backlog is measured by stored size: repeated letters would compress to almost nothing.
    const large = randomBytes(150 * 1024).toString('base64');
    const fits = Math.floor(quota / large.length);
    const id = await idOf(installed, large);
    await settledEnvelope(space, id, 1);
    await platform.service('task').stop();
    try {
      const replies = await Promise.all(Array.from({ length: 30 }, (_, at) => send(installed, `${at}${large}`)));
      const statuses = replies.map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([202, 429]));
      expect(statuses.filter((status) => status === 202).length).toBeLessThanOrEqual(fits);
    } finally {
      await platform.service('task').start();
      await platform.service('task').ready();
    }
    await until(async () => Object.keys(await statusesOf(space)).join() === 'DISPATCHED', { timeoutMs: 120_000 });
    // All are confirmed by now: what waits from here on are replays.
    await until(async () => (await waiting(space)) === 0, { timeoutMs: 120_000 });
    await keepTriggers(space);
    await until(async () => (await space.owner.post(`/events/envelopes/${id}/replay`, {})).status === 202);
    let replayed = 1;
    for (let at = 0; at < 20; at += 1)
      if ((await space.owner.post(`/events/envelopes/${id}/replay`, {})).status === 202) replayed += 1;
    expect(replayed).toBeLessThanOrEqual(fits);
    await letGo(space);
    await until(async () => (await space.owner.post(`/events/envelopes/${id}/replay`, {})).status === 202, {
      timeoutMs: 120_000,
    });
  }, 300_000);

  it('or one that emits without a pause hides no emission that is due in another lane', async () => {
    const { space, installed } = await ready(0);
    const first = await idOf(installed, 'first');
    await settledEnvelope(space, first);
    // As a retry, or what another process left behind: no worker is woken for it. The same worker has every fourth lane.
    await record(first, ((await shardOf(first)) + 4) % 16, 1, 'due');
    await until(
      async () => {
        await Promise.all(Array.from({ length: 8 }, (_, at) => idOf(installed, `busy-${at}`)));
        return (await recorded(space, 'due'))['DISPATCHED'] === 1;
      },
      { everyMs: 1 },
    );
  }, 300_000);
});

describe('an emission', () => {
  const cure = async (): Promise<void> => {
    await platform.database.query('drop trigger if exists heavy on event_bus.emissions');
    await platform.database.query('drop trigger if exists log_outbox on event_bus.outbox');
    await platform.database.query('drop table if exists event_bus.outbox_log');
  };
  afterEach(cure);

  /** Takes part of the log of one Space: other Spaces share their lane with it. */
  const failed = async (space: TestSpace, id: string): Promise<boolean> =>
    (await readEnvelope(space, id)).status === 'FAILED';

  it('that is too heavy to dispatch fails after its tries, and its neighbours pass it', async () => {
    const { space, installed } = await ready();
    // As a statement does that takes too long.
    await platform.database.query(`
      create or replace function event_bus.heavy() returns trigger language plpgsql as
        $$ begin if new.payload->>'order' = 'heavy' then raise exception 'too long' using errcode = '57014'; end if; return new; end $$;
      create trigger heavy before update of status on event_bus.emissions for each row
        when (new.status = 'DISPATCHED') execute function event_bus.heavy()`);
    const heavy = await idOf(installed, 'heavy');
    await settledEnvelope(space, await idOf(installed, 'light'), 1);
    await until(async () => {
      await platform.database.query(
        `update event_bus.emissions set attempts = 7, next_attempt_at = clock_timestamp() where id = $1 and attempts between 1 and 6`,
        [heavy],
      );
      return failed(space, heavy);
    });
    expect((await readEnvelope(space, heavy)).error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await cure();
    expect((await space.owner.post(`/events/envelopes/${heavy}/replay`, {})).status).toBe(202);
    await settledEnvelope(space, heavy, 1);
  });

  it('carries its payload once, however many subscriptions it starts', async () => {
    const { space, installed } = await ready(12);
    await platform.database.query(`
      create table event_bus.outbox_log (space_id text, bytes int);
      create or replace function event_bus.log_outbox() returns trigger language plpgsql security definer as
        $$ begin insert into event_bus.outbox_log values (new.ctx->>'spaceId', octet_length(new.data::text)); return new; end $$;
      create trigger log_outbox before insert on event_bus.outbox for each row execute function event_bus.log_outbox()`);
    const order = 'x'.repeat(200_000);
    const envelope = await settledEnvelope(space, await idOf(installed, order), 12);
    expect(envelope.deliveries.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 'TRIGGERED'));
    const logged = await platform.database.query<{ bytes: number }>(
      'select bytes from event_bus.outbox_log where space_id = $1',
      [space.id],
    );
    expect(logged.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(order.length + 10_000);
  });
});
