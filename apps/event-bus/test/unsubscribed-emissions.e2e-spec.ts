import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type InstalledApplication, dataOf, emission, eventTask, install } from './an-application';

const platform = usePlatform();
let space: TestSpace;
let installed: InstalledApplication;

beforeAll(async () => {
  space = await platform.newSpace();
  installed = await install(space);
});

const emit = async (): Promise<string> =>
  dataOf(await installed.app.post('/events/emit', emission(installed)), 202).envelopeId as string;

const statusOf = async (id: string): Promise<unknown> => {
  const [row] = await platform.database.query(
    'select status, attempts, dispatched_at is not null as "isDispatched" from event_bus.emissions where id = $1',
    [id],
  );
  return row;
};

async function matchedOf(id: string): Promise<number> {
  const envelope = await until(async () => {
    const read = dataOf(await space.owner.get(`/events/envelopes/${id}`), 200);
    return read.status === 'DISPATCHED' && read;
  });
  return envelope.matchedSubscriptions as number;
}

describe('an emission of an event without subscriptions', () => {
  it('is written once, as dispatched', async () => {
    // The first one finds out that there are none.
    await emit();
    const id = await emit();
    expect(await statusOf(id)).toMatchObject({ status: 'DISPATCHED', attempts: 1, isDispatched: true });
  });

  it('starts the task of a subscription that was made just before, each time anew', async () => {
    const taskId = await eventTask(space);
    for (let turn = 0; turn < 10; turn += 1) {
      expect(await matchedOf(await emit())).toBe(0);
      expect(await matchedOf(await emit())).toBe(0);
      const made = dataOf(
        await space.owner.post('/events/subscriptions', {
          taskId,
          appIdentifier: installed.identifier,
          event: 'order.created',
        }),
        201,
      );
      expect(await matchedOf(await emit())).toBe(1);
      await space.owner.patch(`/events/subscriptions/${made.id as string}`, { active: false });
      expect(await matchedOf(await emit())).toBe(0);
      expect(await matchedOf(await emit())).toBe(0);
      await space.owner.patch(`/events/subscriptions/${made.id as string}`, { active: true });
      expect(await matchedOf(await emit())).toBe(1);
      await space.owner.delete(`/events/subscriptions/${made.id as string}`);
    }
  });
});
