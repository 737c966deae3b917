import { Database } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';
import { AccountsRepository, type Due, type Wanted } from '../src/db/accounts.repository';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const accounts = new AccountsRepository();
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
  });

  afterAll(() => database.close());

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
