import { Database, type Tx } from '@switchyard/database';
import { type TestSpace, usePlatform } from '@switchyard/testing';
import { InteractionsRepository } from '../src/db/interactions.repository';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const PAGE_BYTES = 2 * 1024 * 1024;
const COUNT = 5;
const FORM = {
  kind: 'single_choice',
  prompt: 'Which?',
  options: [
    { id: 'a', label: 'A' },
    { id: 'b', label: 'B' },
  ],
};
const ALL = { agentId: null, sessionId: null, after: null, take: 101 };

describe('a page of questions', () => {
  let space: TestSpace;
  let database: Database;
  const interactions = new InteractionsRepository();

  beforeAll(async () => {
    space = await platform.newSpace();
    const { owner } = space;
    const agent = { name: 'Asks', model: 'sim-chat', systemPrompt: 'You ask.', tools: ['ask_user'] };
    const agentId = (await owner.post('/agents', agent)).body.data.id as string;
    const contents = [{ type: 'text', text: `@@tool ask_user ${JSON.stringify(FORM)}\n@@reply Thanks` }];
    for (let n = 0; n < COUNT; n += 1) {
      const { body } = await owner.post(`/agents/${agentId}/chat`, { contents, stream: false });
      expect(body.data).toMatchObject({ status: 'WAITING_INPUT' });
    }
    // As they could be before they had a limit.
    await platform.database.query(
      `update session.interactions set form = form::jsonb || jsonb_build_object('prompt', repeat('x', 350000)),
         calls = json_build_array(json_build_object('arguments', repeat('y', 350000))) where space_id = $1`,
      [space.id],
    );
    const url = platform.state.databaseLogins['session'] ?? '';
    database = new Database({ service: 'session', url, poolSize: 1, log });
    await database.connect();
  });

  afterAll(() => database.close());

  const userId = (): string => space.owner.identity.userId ?? '';

  it.each<[string, (tx: Tx) => Promise<{ found: number }[]>]>([
    ['that wait in a session', (tx) => interactions.listPending(tx, space.id, { ...ALL, userId: null })],
    [
      'in the inbox',
      (tx) => {
        const filter = { ...ALL, userId: userId(), isAdmin: true, isMember: true, status: null, purpose: null };
        return interactions.listInbox(tx, space.id, filter);
      },
    ],
  ])('%s is cut to 2 MiB by the database, which does not send the others', async (_, list) => {
    const rows = await database.inSpace(space.id, list);
    expect([rows[0]?.found, rows.length]).toEqual([COUNT, 2]);
    expect(Buffer.byteLength(JSON.stringify(rows))).toBeLessThan(PAGE_BYTES * 1.1);
  });
});
