import { newId } from '@switchyard/kernel';
import { Database, type Tx, column, defineTable, schemaDifference } from '@switchyard/database';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const { filled, flag, int, json, nullable, savedAt, tenantKey, text, time, uuid } = column;

const events = defineTable(
  'registered_events',
  {
    ...tenantKey,
    applicationId: nullable(uuid()),
    appIdentifier: text(),
    name: text(),
    description: nullable(text()),
    schema: json<object>(),
    schemaFingerprint: text(),
    emitOn: nullable(json<object>()),
    emitDataset: nullable(uuid()),
    active: flag(),
    subscriptionsRevision: filled(int(), 0),
    createdAt: filled(time(), 'clock_timestamp()'),
    updatedAt: savedAt('clock_timestamp()'),
    emitTypes: nullable(json<object>()),
    oversized: filled(nullable(json<object[]>())),
  },
  {
    uniques: [['spaceId', 'appIdentifier', 'name']],
    indexes: { registered_events_dataset: { columns: ['spaceId', 'emitDataset'] } },
  },
);

const undone = new Error('nothing of it is to stay');

describe('the rows of a declared table', () => {
  const spaceId = newId();
  let database: Database;

  beforeAll(async () => {
    const url = platform.state.databaseLogins['event-bus'] ?? '';
    database = new Database({ service: 'event-bus', url, poolSize: 2, log, tables: [events] });
    await database.connect();
  });
  afterAll(() => database.close());

  /** In a transaction that is rolled back. */
  async function trying(work: (tx: Tx) => Promise<void>): Promise<void> {
    const done = database.inSpace(spaceId, async (tx) => {
      await work(tx);
      throw undone;
    });
    await expect(done).rejects.toBe(undone);
  }

  const event = (name = 'saved') => ({
    spaceId,
    id: newId(),
    applicationId: null,
    appIdentifier: 'trial',
    name,
    description: `What "${name}" is, with a ':colon' and an emoji 🙂`,
    schema: { type: 'object', nested: { a: [1, { b: null }] } },
    schemaFingerprint: 'x',
    emitOn: null,
    emitDataset: null,
    active: true,
    emitTypes: null,
  });

  it('are read as they were written, with times as ISO texts', () =>
    trying(async (tx) => {
      const expected = event();
      const inserted = await tx.rows(events).insert(expected);
      expect(inserted).toEqual({
        ...expected,
        oversized: null,
        subscriptionsRevision: 0,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
        updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
      });
      expect(await tx.rows(events).find({ spaceId, id: expected.id })).toEqual(inserted);
      expect(await tx.rows(events).lock({ spaceId, id: expected.id })).toEqual(inserted);
      expect(await tx.rows(events).exists({ spaceId, name: 'saved' })).toBe(true);
      expect(await tx.rows(events).exists({ spaceId, name: 'other' })).toBe(false);
    }));

  it('are changed by values and by SQL, and a save notes its time', () =>
    trying(async (tx) => {
      const { id, updatedAt } = await tx.rows(events).insert(event());
      const change = { description: null, schema: {}, subscriptionsRevision: () => 'subscriptions_revision + 1' };
      const changed = await tx.rows(events).change({ spaceId, id }, change);
      expect(changed).toMatchObject({ description: null, schema: {}, subscriptionsRevision: 1, updatedAt });
      await tx.run(`update registered_events set updated_at = 'epoch' where id = $1`, [id]);
      const saved = await tx.rows(events).save({ spaceId, id }, { active: false });
      expect(saved?.updatedAt.slice(0, 4)).not.toBe('1970');
      expect(await tx.rows(events).save({ spaceId, id: newId() }, { active: false })).toBeNull();
    }));

  it('take the place of those with the same values, which keep their keys', () =>
    trying(async (tx) => {
      const { id } = await tx.rows(events).insert(event());
      await tx.rows(events).put({ ...event(), description: 'again' }, ['spaceId', 'appIdentifier', 'name']);
      expect(await tx.rows(events).find({ spaceId, name: 'saved' })).toMatchObject({ id, description: 'again' });
    }));

  it('are listed by id, newest first, behind the last one that was read', () =>
    trying(async (tx) => {
      const ids: string[] = [];
      for (const name of ['a', 'b', 'c']) ids.push((await tx.rows(events).insert(event(name))).id);
      const filter = { spaceId, appIdentifier: 'trial', name: undefined };
      const rows = tx.rows(events).only('name');
      const idsOf = (listed: unknown[]): unknown[] => listed.map((row) => (row as { id: string }).id);
      expect(idsOf(await rows.list(filter, { after: null, take: 2 }))).toEqual([ids[2], ids[1]]);
      const conditions = [["row.name <> :name and strpos(row.description, ':') > 0", { name: 'a' }] as const];
      expect(idsOf(await rows.list(filter, { after: ids[2] ?? '', take: 5 }, conditions))).toEqual([ids[1]]);
      expect((await rows.list(filter, { after: null, take: 1 }))[0]).not.toHaveProperty('schema');
    }));

  it('are removed, and their number is told', () =>
    trying(async (tx) => {
      await tx.rows(events).insert(event('a'));
      await tx.rows(events).insert(event('b'));
      expect(await tx.rows(events).remove({ spaceId, name: 'a' })).toBe(1);
      expect(await tx.rows(events).remove({ spaceId, name: 'a' })).toBe(0);
      expect(await tx.rows(events).exists({ spaceId, name: 'b' })).toBe(true);
    }));

  it('of other Spaces are neither read nor written by any query', async () => {
    const { id } = await database.inSpace(spaceId, (tx) => tx.rows(events).insert(event('foreign')));
    await database.inSpace(newId(), async (tx) => {
      expect(await tx.rows(events).find({ spaceId, id })).toBeNull();
      expect(await tx.rows(events).list({ spaceId }, { after: null, take: 5 })).toEqual([]);
      expect(await tx.rows(events).change({ spaceId, id }, { active: false })).toBeNull();
      expect(await tx.rows(events).remove({ spaceId, id })).toBe(0);
      await expect(tx.attempt(() => tx.rows(events).insert(event('intruder')))).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    });
    expect(await database.inSpace(spaceId, (tx) => tx.rows(events).remove({ spaceId, id }))).toBe(1);
  });

  it('refuse a second one with the same unique values in the words of the platform', () =>
    trying(async (tx) => {
      await tx.rows(events).insert(event());
      await expect(tx.attempt(() => tx.rows(events).insert(event()))).rejects.toMatchObject({ code: 'CONFLICT' });
    }));

  it('are never matched by a column without a value', () =>
    trying(async (tx) => {
      const { id } = await tx.rows(events).insert(event());
      const match = { spaceId, id: undefined as unknown as string };
      for (const work of [
        () => tx.rows(events).remove(match),
        () => tx.rows(events).save(match, { active: false }),
        () => tx.rows(events).find(match),
        () => tx.rows(events).remove({}),
      ]) {
        await expect((async (): Promise<unknown> => work())()).rejects.toThrow('every column of a match needs a value');
      }
      expect(await tx.rows(events).exists({ spaceId, id, active: true })).toBe(true);
    }));
});

describe('the difference between tables and migrations', () => {
  const difference = (table: typeof events): Promise<string[]> =>
    schemaDifference(platform.state.databaseUrl, 'event-bus', [table]);

  it('is nothing where they agree', async () => {
    expect(await difference(events)).toEqual([]);
  });

  it.each([
    ['a column that is missing', { ...events.columns, other: text() }],
    ['another type', { ...events.columns, name: uuid() }],
    ['a value that may be null', { ...events.columns, name: nullable(text()) }],
    ['another default', { ...events.columns, subscriptionsRevision: filled(int(), 1) }],
  ])('names %s', async (_what, columns) => {
    const [query] = await difference({ ...events, columns } as unknown as typeof events);
    expect(query).toContain('registered_events');
  });

  it('names a column, a constraint and an index that nothing declares', async () => {
    const { emitTypes: _, ...columns } = events.columns;
    const bare = defineTable('registered_events', columns) as unknown as typeof events;
    const found = (await difference(bare)).join('\n');
    for (const name of [
      'emit_types',
      'registered_events_space_id_app_identifier_name_key',
      'registered_events_dataset',
    ])
      expect(found).toContain(name);
  });
});
