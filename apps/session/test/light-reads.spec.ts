import type { Tx } from '@switchyard/database';
import { ApprovalsRepository } from '../src/db/approval-metrics-and-audit.repository';
import { InteractionsRepository } from '../src/db/interactions.repository';
import { TurnLeasesRepository } from '../src/db/turn-leases.repository';

const statements: string[] = [];
const tx = { query: (sql: string) => (statements.push(sql), Promise.resolve([])) } as unknown as Tx;
beforeEach(() => (statements.length = 0));

describe('many rows at once are read without what can be long in them', () => {
  it('approvals that are not recorded yet: names alone', async () => {
    await new ApprovalsRepository().listUnrecorded(tx, 100);
    expect(statements).toEqual([expect.stringMatching(/^select space_id, id from interactions/)]);
  });

  it('questions whose time is over: the number of their calls', async () => {
    await new InteractionsRepository().listOverdue(tx, [], 100);
    expect(statements[0]).not.toMatch(/purpose, i\.calls\b|i\.form/);
    expect(statements[0]).toContain('json_array_length(i.calls)');
  });

  it('turns that were lost too often: where they came from', async () => {
    await new TurnLeasesRepository().failExpired(tx, { code: 'RUNTIME_UNAVAILABLE', message: 'lost' });
    expect(statements[0]).toMatch(
      /returning space_id, id as key, turn_id, json_build_object\('source', input->'source'\) as input/,
    );
  });
});
