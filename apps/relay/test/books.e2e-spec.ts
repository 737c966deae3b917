import { Database } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';
import { AccountsRepository, type Due, type Wanted } from '../src/db/accounts.repository';
import { ReservationsRepository } from '../src/db/reservations.repository';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const accounts = new AccountsRepository();
const reservations = new ReservationsRepository();
const holder = newId();

const wantedOf = (spaceId: string, tokens = 10): Wanted => ({
  spaceId,
  id: newId(),
  tokens,
  minimumBalance: null,
  dailyTokenCap: null,
  facts: { model: 'sim-chat', promptTokens: 1, source: 'relay', userId: null, keyId: null },
});
const released = ({ spaceId, id }: Wanted): Due => ({ spaceId, id, tokens: 0, entry: null });

describe('the books of the relay', () => {
  let database: Database;

  beforeAll(async () => {
    database = new Database({ service: 'relay', url: platform.state.databaseLogins['relay'] ?? '', poolSize: 8, log });
    await database.connect();
    await database.system('beat', (tx) => reservations.beat(tx, holder));
    // The relay that runs is not to take these for the calls of a dead one, however long they last.
    await platform.database.query(`update relay.holders set beat_at = beat_at + interval '10 minutes' where id = $1`, [
      holder,
    ]);
  });

  afterAll(async () => {
    await database.system('leave', (tx) => reservations.leave(tx, holder));
    await database.close();
  });

  const openAccount = async (tokens: number): Promise<string> => {
    const spaceId = newId();
    await database.system('open an account', (tx) => accounts.open(tx, spaceId, tokens));
    return spaceId;
  };

  it('let what a call frees be held by the next one of the same batch', async () => {
    const spaceId = await openAccount(100);
    const first = wantedOf(spaceId, 100);
    expect(await accounts.book(database, holder, [], [first])).toMatchObject([{ admitted: true }]);
    expect(await accounts.book(database, holder, [], [wantedOf(spaceId)])).toMatchObject([{ admitted: false }]);
    const next = wantedOf(spaceId);
    expect(await accounts.book(database, holder, [released(first)], [next])).toMatchObject([{ admitted: true }]);
    await accounts.book(database, holder, [released(next)], []);
    expect((await accounts.findAll(database, [spaceId])).get(spaceId)).toMatchObject({ balance: 100, reserved: 0 });
  });

  it('do not wait for the notes of how far calls are, nor those for them', async () => {
    const spaceId = await openAccount(1000);
    const [ending, running] = [wantedOf(spaceId), wantedOf(spaceId)];
    await accounts.book(database, holder, [], [ending, running]);
    const seen = [ending, running].map(({ id }) => ({ spaceId, id, tokens: 7 }));
    const noted = await database.system('hold a row as a settlement does', async (tx) => {
      await tx.run('select 1 from reservations where space_id = $1 and id = $2 for update', [spaceId, ending.id]);
      await database.system('note', (other) => reservations.noteSeen(other, seen));
      return tx.query('select id, seen_tokens from reservations where space_id = $1 order by id', [spaceId]);
    });
    expect(noted).toEqual([
      { id: ending.id, seenTokens: null },
      { id: running.id, seenTokens: 7 },
    ]);
    await accounts.book(database, holder, [released(ending), released(running)], []);
  });

  it('are never locked in two orders, whoever settles in one Space and reserves in another', async () => {
    const [one, other] = [await openAccount(1_000_000), await openAccount(1_000_000)];
    const held = { [one]: [] as Wanted[], [other]: [] as Wanted[] };
    for (const spaceId of [one, other]) {
      held[spaceId] = Array.from({ length: 100 }, () => wantedOf(spaceId));
      await accounts.book(database, holder, [], held[spaceId]);
    }
    // Half of the writers end calls here and begin calls there, the other half the other way round.
    const writer = async (ends: string, begins: string): Promise<void> => {
      for (let round = 0; round < 25; round += 1) {
        const ending = held[ends]?.splice(0, 1) ?? [];
        const wanted = wantedOf(begins);
        await accounts.book(database, holder, ending.map(released), [wanted]);
        await accounts.book(database, holder, [released(wanted)], []);
      }
    };
    await Promise.all([0, 1, 2, 3].flatMap(() => [writer(one, other), writer(other, one)]));
    const left = await accounts.findAll(database, [one, other]);
    expect([...left.values()]).toMatchObject([{ reserved: 0 }, { reserved: 0 }]);
  });
});
