import type { Read } from '@switchyard/database';
import { lookForWork } from './look-for-work';

const read = (name: string): Read => ({ name, sql: name, params: [] });
const LOOK = { anyLoose: read('any'), claimLoose: () => read('claim'), reads: [read('due'), read('fresh')] };

type Rows = Record<string, unknown>[];

/** Answers each statement by its name, and keeps the names of each transaction. */
function aDatabase(answers: Readonly<Record<string, Rows>>) {
  const sent: (string | undefined)[][] = [];
  const systemWrite = (_: string, reads: readonly Read[]): Promise<Rows[]> => {
    sent.push(reads.map(({ name }) => name));
    return Promise.resolve(reads.map(({ name = '' }) => answers[name] ?? []));
  };
  return { sent, systemWrite };
}

describe('a look for work', () => {
  it('updates nothing while no row is loose', async () => {
    const database = aDatabase({ due: [{ spaceId: 's' }], claim: [{ id: 'never' }] });
    expect(await lookForWork(database, 'test', LOOK)).toEqual({ loose: [], found: [[{ spaceId: 's' }], []] });
    expect(database.sent).toEqual([['any', 'due', 'fresh']]);
  });

  it('claims loose rows, and reads the rest after it', async () => {
    const database = aDatabase({ any: [{ found: 1 }], claim: [{ id: 'a' }], fresh: [{ found: 1 }] });
    expect(await lookForWork(database, 'test', LOOK)).toEqual({ loose: [{ id: 'a' }], found: [[], [{ found: 1 }]] });
    expect(database.sent).toEqual([
      ['any', 'due', 'fresh'],
      ['claim', 'due', 'fresh'],
    ]);
  });
});
