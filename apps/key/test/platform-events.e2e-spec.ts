import type { Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { type Answer, type Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { newOperator, operatorKey, personOfOwn } from './operator-people';
import { SecurityEventsRepository } from '../src/db/security-events.repository';

const platform = usePlatform();
let operator: Client;
let space: TestSpace;

beforeAll(async () => {
  operator = await newOperator(platform);
  space = await platform.newSpace();
});

const idOf = ({ identity }: Client): string => identity.userId ?? '';
const find = async (query: string, client = operator): Promise<Answer[]> => {
  const { status, body } = await client.get(`/operator/events?${query}`);
  expect(status).toBe(200);
  return body.data as Answer[];
};

describe('the events of the platform', () => {
  it('are those of all Spaces, in the form that a Space sees them with its id', async () => {
    const key = await space.key({ name: 'seen from above' });
    const [event] = await find(`spaceId=${space.id}&action=key.created`);
    expect(event).toEqual({
      id: expect.any(String),
      spaceId: space.id,
      action: 'key.created',
      target: key.identity.keyId,
      details: expect.any(Object),
      actor: { type: 'user', id: idOf(space.owner) },
      actorUserId: idOf(space.owner),
      credentialId: expect.any(String),
      requestId: expect.any(String),
      at: expect.any(String),
    });
    const inSpace = await space.owner.get(`/spaces/${space.id}/security-events?limit=100`);
    const { spaceId: _spaceId, ...seen } = event as unknown as Record<string, unknown>;
    expect(inSpace.body.data).toContainEqual(seen);
  });

  it('name a key as the actor where a key did it', async () => {
    const key = await space.key({ scopes: ['keys:read', 'keys:write'] });
    const made = await key.post('/api-keys', { name: 'made by a key', scopes: ['keys:read'] });
    const events = await find(`actor=${key.identity.keyId ?? ''}`);
    expect(events).toEqual([
      expect.objectContaining({
        action: 'key.created',
        target: made.body.data.id,
        actor: { type: 'key', id: key.identity.keyId },
      }),
    ]);
  });

  it('hold what happens to operators and their keys, of no Space', async () => {
    const person = await personOfOwn(platform);
    await operator.post(`/operator/users/${idOf(person)}/grant`, {});
    await operator.post(`/operator/users/${idOf(person)}/revoke`, {});
    const key = await operatorKey(operator);
    await operator.post(`/operator/keys/${key.identity.keyId ?? ''}/rotate`, {});
    await operator.post(`/operator/keys/${key.identity.keyId ?? ''}/revoke`, {});
    const actor = { type: 'operator', id: idOf(operator) };
    for (const [action, target] of [
      ['operator.granted', idOf(person)],
      ['operator.revoked', idOf(person)],
      ['operator.key.created', key.identity.keyId],
      ['operator.key.rotated', key.identity.keyId],
      ['operator.key.revoked', key.identity.keyId],
    ])
      expect(await find(`action=${action}&actor=${idOf(operator)}&limit=100`)).toContainEqual(
        expect.objectContaining({ action, target, actor, spaceId: null, actorUserId: idOf(operator) }),
      );
  });

  it('are found by their times', async () => {
    const key = await space.key();
    const [event] = await find(`spaceId=${space.id}&action=key.created&limit=1`);
    expect(event?.['target']).toBe(key.identity.keyId);
    const at = String(event?.['at']);
    const after = new Date(Date.parse(at) + 1).toISOString();
    const ids = async (query: string): Promise<unknown[]> =>
      (await find(`spaceId=${space.id}&action=key.created&${query}`)).map((found) => found['id']);
    expect(await ids(`from=${at}&to=${after}`)).toContain(event?.['id']);
    expect(await ids(`to=${at}`)).not.toContain(event?.['id']);
    expect(await ids(`from=${after}`)).not.toContain(event?.['id']);
  });

  it('come page by page without a gap, or all at once as lines', async () => {
    const own = await platform.newSpace();
    for (let n = 0; n < 5; n += 1) await own.key();
    const query = `spaceId=${own.id}`;
    const paged: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await operator.get(`/operator/events?${query}&limit=2${cursor}`);
      paged.push(...(body.data as Answer[]));
      const next = body.page.nextCursor as string | null;
      cursor = next === null ? '' : `&cursor=${next}`;
    } while (cursor !== '');
    expect(paged.length).toBeGreaterThanOrEqual(5);
    const { status, headers, body } = await operator.get(`/operator/events?${query}&limit=1`, undefined, {
      headers: { accept: 'application/x-ndjson' },
    });
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('application/x-ndjson');
    const lines = (body as unknown as string).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(paged);
  });

  it('of the platform itself are found as those of the machine', async () => {
    const id = newId();
    await platform.database.query(
      `insert into key.account_events (id, action, target, details, request_id, actor_type)
       values ($1, 'operator.granted', $2, '{}', 'test', 'machine')`,
      [id, space.id],
    );
    const [event] = (await find('actor=machine&action=operator.granted&limit=100')).filter(
      (found) => found['id'] === id,
    );
    expect(event).toMatchObject({ actor: { type: 'machine' }, actorUserId: null, spaceId: null });
  });

  it('of before have the person as their actor', async () => {
    const id = newId();
    await platform.database.query(
      `insert into key.space_events (space_id, id, action, target, actor_user_id, request_id)
       values ($1, $2, 'key.revoked', 'x', $3, 'test')`,
      [space.id, id, idOf(space.owner)],
    );
    const events = await find(`spaceId=${space.id}&actor=${idOf(space.owner)}&limit=100`);
    expect(events).toContainEqual(
      expect.objectContaining({ id, actor: { type: 'user', id: idOf(space.owner) }, target: 'x' }),
    );
  });

  it('are for operators alone, and refuse filters that are none', async () => {
    expect((await space.owner.get('/operator/events')).status).toBe(404);
    const reader = await operatorKey(operator);
    expect(await find('limit=1', reader)).toHaveLength(1);
    expect((await (await operatorKey(operator, ['operator:nats'])).get('/operator/events')).status).toBe(403);
    for (const query of ['spaceId=x', 'actor=somebody', 'from=yesterday', 'colour=red'])
      expect((await operator.get(`/operator/events?${query}`)).status).toBe(400);
  });
});

describe('one action or actor among many events', () => {
  const NOISE = 20_000;
  beforeAll(async () => {
    const { id } = await platform.newSpace();
    for (const [table, spaceColumn, space] of [
      ['space_events', 'space_id,', `'${id}'::uuid,`],
      ['account_events', '', ''],
    ])
      await platform.database.query(
        `insert into key.${table} (${spaceColumn} id, action, request_id, actor_type, actor_id, at)
         select ${space} gen_random_uuid(), 'noise', 'x', 'user', gen_random_uuid()::text, now() - interval '1 hour'
         from generate_series(1, ${NOISE})`,
      );
    await platform.database.query('analyze key.space_events, key.account_events');
  });

  it.each([
    { action: 'member.invited' },
    { action: 'operator.granted' },
    { actor: '01900000-0000-7000-8000-00000000abcd' },
    { actor: 'machine' },
    { action: 'noise' },
    {},
  ])('is found without reading the others: %j', async (query) => {
    let statement: [string, unknown[]] = ['', []];
    const tx = { query: (...given: typeof statement) => Promise.resolve(((statement = given), [])) };
    await new SecurityEventsRepository().listOfPlatform(tx as unknown as Tx, { ...query, after: null, take: 51 });
    const [sql, params] = statement;
    const plan = await platform.database.query(
      `explain (analyze, format json) ${sql.replaceAll(/from (space|account)_events/g, 'from key.$1_events')}`,
      params,
    );
    const read = [...JSON.stringify(plan).matchAll(/"(?:Actual Rows|Rows Removed by Filter)":([\d.]+)/g)];
    expect(Math.max(...read.map(([, rows]) => Number(rows)))).toBeLessThan(NOISE / 4);
  });
});
