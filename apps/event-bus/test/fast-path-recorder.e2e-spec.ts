import { Database } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { type TestSpace, usePlatform } from '@switchyard/testing';
import { EmissionsRepository } from '../src/db/emissions.repository';
import { type FoundRegistration, RegistrationsRepository } from '../src/db/registrations.repository';
import type { CheckedEmission } from '../src/domain/new-emission';
import { FastPathRecorder } from '../src/emissions/fast-path-recorder';
import { install } from './an-application';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const emissions = new EmissionsRepository();
const registrations = new RegistrationsRepository();

interface Installed {
  space: TestSpace;
  registration: FoundRegistration;
}

/** A lane that no dispatcher looks at: what is recorded here stays as it is. */
const NO_SHARD = 99;

const emissionOf = ({ space, registration }: Installed, changes: Partial<CheckedEmission> = {}): CheckedEmission => {
  const id = newId();
  return {
    id,
    spaceId: space.id,
    eventId: registration.eventId ?? '',
    applicationId: registration.applicationId,
    schemaFingerprint: registration.schemaFingerprint,
    subscriptionsRevision: null,
    appIdentifier: registration.appIdentifier,
    event: registration.event,
    payload: { order: 'o-1' },
    bytes: 20,
    source: 'app',
    status: 'PENDING',
    error: null,
    idempotencyKey: null,
    fingerprint: null,
    actorUserId: null,
    causationId: null,
    correlationId: id,
    depth: 0,
    parent: null,
    root: null,
    lane: NO_SHARD,
    emittedAt: new Date().toISOString(),
    ...changes,
  };
};

describe('emissions of several Spaces that come together', () => {
  let database: Database;
  let spaces: Installed[];
  const recordedIds: string[] = [];
  let fast: FastPathRecorder;

  beforeAll(async () => {
    const url = platform.state.databaseLogins['event-bus'] ?? '';
    database = new Database({ service: 'event-bus', url, poolSize: 4, log });
    await database.connect();
    spaces = await Promise.all(
      [1, 2, 3].map(async () => {
        const space = await platform.newSpace();
        const { identifier } = await install(space);
        const names = [{ appIdentifier: identifier, event: 'order.created' }];
        const [registration] = await database.inSpace(space.id, (tx) => registrations.find(tx, space.id, names));
        if (!registration) throw new Error('the application has no such event');
        return { space, registration };
      }),
    );
    const onRecorded = (recorded: readonly { id: string }[]) => {
      recordedIds.push(...recorded.map(({ id }) => id));
      return Promise.resolve();
    };
    // One group at a time: all that come while the first one is recorded are in the next.
    fast = new FastPathRecorder(database, emissions, onRecorded, 1);
  });

  afterAll(async () => {
    await platform.database.query('delete from event_bus.emissions where lane = $1', [NO_SHARD]);
    await database.close();
  });

  const record = (by: Installed, changes: Partial<CheckedEmission> = {}) => {
    const emission = emissionOf(by, changes);
    return { emission, outcome: fast.record(emission) };
  };
  const rowsOf = (found: readonly CheckedEmission[]) =>
    platform.database.query<{ id: string; spaceId: string; tx: string }>(
      `select id, space_id as "spaceId", xmin::text as tx from event_bus.emissions where id = any($1) order by id`,
      [found.map(({ id }) => id)],
    );
  const spaceAt = (at: number): Installed => spaces[at] as Installed;

  it('are recorded in one transaction, each in its own', async () => {
    const first = record(spaceAt(0));
    const rest = [...spaces, ...spaces].map((space) => record(space));
    expect(await Promise.all(rest.map(({ outcome }) => outcome))).toEqual(rest.map(() => 'recorded'));
    expect(await first.outcome).toBe('recorded');
    const rows = await rowsOf(rest.map(({ emission }) => emission));
    expect(new Set(rows.map(({ tx }) => tx)).size).toBe(1);
    expect(rows.map(({ id, spaceId }) => [id, spaceId])).toEqual(
      rest.map(({ emission }) => [emission.id, emission.spaceId]).sort(),
    );
    expect(recordedIds).toEqual(expect.arrayContaining(rows.map(({ id }) => id)));
  });

  it('are left out where they fit no registration of their own Space', async () => {
    const [own, other] = [spaceAt(0), spaceAt(1)];
    const first = record(own);
    const { eventId, applicationId } = other.registration;
    const foreign = record(own, { eventId: eventId ?? '', applicationId });
    const old = record(other, { schemaFingerprint: 'before' });
    const fine = record(other);
    const revision = other.registration.subscriptionsRevision ?? 0;
    const subscribed = record(other, { status: 'DISPATCHED', subscriptionsRevision: revision - 1 });
    const unsubscribed = record(other, { status: 'DISPATCHED', subscriptionsRevision: revision });
    const remaining = [foreign, old, subscribed];
    expect(await Promise.all(remaining.map(({ outcome }) => outcome))).toEqual(remaining.map(() => 'left out'));
    expect(await unsubscribed.outcome).toBe('recorded');
    expect(await Promise.all([first.outcome, fine.outcome])).toEqual(['recorded', 'recorded']);
    expect(await rowsOf(remaining.map(({ emission }) => emission))).toEqual([]);
  });

  it('are left out where their key is taken, and those that come with them are not', async () => {
    const [own, other] = [spaceAt(0), spaceAt(1)];
    const key = { idempotencyKey: newId(), fingerprint: 'f' };
    const first = record(own, key);
    expect(await first.outcome).toBe('recorded');
    const holding = record(own);
    const [again, inOtherSpace] = [record(own, key), record(other, key)];
    expect(await Promise.all([again.outcome, inOtherSpace.outcome, holding.outcome])).toEqual([
      'left out',
      'recorded',
      'recorded',
    ]);
  });

  it('are all left to be looked at closely where one of them fails', async () => {
    const [own, other, third] = [spaceAt(0), spaceAt(1), spaceAt(2)];
    const first = record(third);
    // Characters that Postgres text cannot store.
    const broken = record(own, { payload: { order: '\u0000' } });
    const fine = record(other);
    expect(await Promise.all([broken.outcome, fine.outcome, first.outcome])).toEqual(['failed', 'failed', 'recorded']);
    // The Space of the broken one goes by itself from then on.
    fast.isolate(own.space.id);
    const recordFast = jest.spyOn(emissions, 'recordFast');
    const groups = [third, own, other].map((space) => record(space));
    expect(recordFast).toHaveBeenCalledTimes(2);
    await Promise.all(groups.map(({ outcome }) => outcome));
    expect(recordFast.mock.calls.map(([, items]) => items.map(({ spaceId }) => spaceId))).toEqual(
      [third, own, other].map(({ space }) => [space.id]),
    );
    recordFast.mockRestore();
  });

  it('do not get an error where one of them waits for what somebody else is writing', async () => {
    // The first one has been set apart just now.
    const [own, other] = [spaceAt(1), spaceAt(2)];
    const key = { idempotencyKey: newId(), fingerprint: 'f' };
    const again = emissionOf(own, key);
    await database.inSpace(own.space.id, async (tx) => {
      await emissions.record(tx, [emissionOf(own, key)]);
      const first = record(other);
      const blocked = fast.record(again);
      const fine = record(other);
      expect(await Promise.all([blocked, fine.outcome, first.outcome])).toEqual(['failed', 'failed', 'recorded']);
    });
    expect(await fast.record(again)).toBe('left out');
  });

  it('do not wait for a group of others that waits', async () => {
    const [own, other] = [spaceAt(0), spaceAt(1)];
    const usual = new FastPathRecorder(database, emissions, () => Promise.resolve());
    const key = { idempotencyKey: newId(), fingerprint: 'f' };
    const ended: string[] = [];
    await database.inSpace(own.space.id, async (tx) => {
      await emissions.record(tx, [emissionOf(own, key)]);
      const blocked = usual.record(emissionOf(own, key)).then(() => ended.push('held'));
      const fine = usual.record(emissionOf(other)).then(() => ended.push('fine'));
      await Promise.all([blocked, fine]);
    });
    expect(ended).toEqual(['fine', 'held']);
  });
});
