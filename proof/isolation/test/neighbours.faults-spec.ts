import { until, usePlatform } from '@switchyard/testing';
import { grewTooMuch } from '../outcome';
import { memoryGrowth, memoryOf } from '../process-memory';
import { NEIGHBOURS } from '../rows';
import { attackOnce } from '../run-neighbour';

const platform = usePlatform();
const ATTACK_MS = 1_000;

/** The short form of `npm run test:neighbours`: small attacks, and no times. */
describe('a Space at its worst', () => {
  let before: Record<string, number>;
  beforeAll(async () => {
    before = await memoryOf(platform);
  });

  // Callers have left; what they asked for goes on, and would meet what the next file has armed for its own.
  afterAll(async () => {
    const running = (): Promise<unknown[]> =>
      platform.database.query(`select 1 from session.turns where status = 'RUNNING'`);
    await until(async () => (await running()).length === 0, { timeoutMs: 180_000 });
  }, 300_000);

  it.each(NEIGHBOURS.map((row) => [row.name, row] as const))(
    'is refused as promised and ends no process: %s',
    async (_, row) => {
      const { broken } = await attackOnce(platform, row, ATTACK_MS, true);
      expect(broken).toEqual([]);
    },
  );

  it('leaves no memory behind', async () => {
    expect(grewTooMuch(await memoryGrowth(platform, before, 60_000))).toEqual([]);
  });
});
