import type { Tx } from '@switchyard/database';
import { TurnsToStopRepository } from '../src/db/turns-to-stop.repository';

describe('executions whose turns are to be stopped', () => {
  it('are read without what their Spaces have written', async () => {
    const statements: string[] = [];
    const tx = { query: (sql: string) => (statements.push(sql), Promise.resolve([])) } as unknown as Tx;
    await new TurnsToStopRepository().find(tx, 50);
    expect(statements).toEqual([expect.stringMatching(/^select space_id, id, owner_id, waiting_turn from executions/)]);
  });
});
