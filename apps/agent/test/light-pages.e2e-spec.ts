import { Database, type Tx } from '@switchyard/database';
import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { AgentsRepository } from '../src/db/agents.repository';
import type { AgentRecord } from '../src/domain/stored-agent';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const PAGE_BYTES = 2 * 1024 * 1024;
const COUNT = 5;

describe('a page of', () => {
  let space: TestSpace;
  let owner: Client;
  let ids: string[];
  let database: Database;
  const repository = new AgentsRepository();

  beforeAll(async () => {
    space = await platform.newSpace();
    ({ owner } = space);
    ids = [];
    for (let n = 0; n < COUNT; n += 1) {
      const agent = { name: `A${n}`, model: 'sim-chat', systemPrompt: 'You test.' };
      ids.push((await owner.post('/agents', agent)).body.data.id as string);
    }
    for (let n = 1; n < COUNT; n += 1)
      expect((await owner.put(`/agents/${ids[0]}`, { name: `Changed ${n}` })).status).toBe(200);
    // As fields could be before they had a limit.
    for (const table of ['agents', 'agent_versions'])
      await platform.database.query(
        `update agent.${table} set body = jsonb_set(body, '{description}', to_jsonb(repeat('x', 700000))) where space_id = $1`,
        [space.id],
      );
    const url = platform.state.databaseLogins['agent'] ?? '';
    database = new Database({ service: 'agent', url, poolSize: 1, log });
    await database.connect();
  });

  afterAll(() => database.close());

  it.each<[string, (tx: Tx) => Promise<unknown>]>([
    ['agents', (tx) => repository.list(tx, space.id, { userId: null, keyAgents: undefined }, { limit: 100 })],
    ['versions', (tx) => repository.listVersions(tx, space.id, { id: ids[0] } as AgentRecord, { limit: 100 })],
  ])('%s is cut to 2 MiB by the database, which does not send the others', async (_, list) => {
    const rows = await database.inSpace(space.id, async (tx) => {
      const query = jest.spyOn(tx, 'query');
      await list(tx);
      return (await query.mock.results[0]?.value) as { found: number }[];
    });
    expect([rows[0]?.found, rows.length]).toEqual([COUNT, 2]);
    expect(Buffer.byteLength(JSON.stringify(rows))).toBeLessThan(PAGE_BYTES * 1.1);
  });
});
