import { randomUUID } from 'node:crypto';
import { type Client, until, usePlatform } from '@switchyard/testing';
import { AGENT, contentsOf, STREAM } from './talk';

const platform = usePlatform();

describe('an approval that is answered', () => {
  const agentService = platform.service('agent');
  const sessionService = platform.service('session');
  let owner: Client;
  let datasetId: string;
  let id: string;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
    const fields = [{ name: 'title', type: 'string' }];
    datasetId = (await owner.post('/datasets', { name: 'orders', schema: { fields } })).body.data.id;
    const body = { ...AGENT, tools: ['write_dataset'], approvals: [{ tool: 'write_dataset' }] };
    id = (await owner.post('/agents', body)).body.data.id;
  });
  beforeEach(() => agentService.ready());
  afterAll(() => Promise.all([agentService.ready(), sessionService.restart()]));

  const count = async (title: string): Promise<number> =>
    (await owner.post(`/datasets/${datasetId}/data/count`, { filter: { title } })).body.data.count;
  const ask = async (title: string) => {
    const call = `@@tool write_dataset ${JSON.stringify({ datasetId, operation: 'insert', records: [{ title }] })}`;
    const reply = await owner.post(`/agents/${id}/chat`, {
      ...contentsOf(`${call}\n@@reply got {{tool}}`),
      turnId: randomUUID(),
      stream: false,
    });
    return reply.body.data;
  };
  const statusOf = async (turnId: string): Promise<string> =>
    (await owner.get(`/agents/${id}/turns/${turnId}`)).body.data.status;

  it.each([
    ['approve', 1],
    ['deny', 0],
  ])('with %s counts after kill -9 between the answer and the run', async (choice, runs) => {
    const title = randomUUID();
    const turn = await ask(title);
    const { pid } = agentService;
    await agentService.arm('agent.answer-taken', 'kill');
    const answer = {
      sessionId: turn.session_id,
      interactionId: turn.interaction.id,
      selectedOptionIds: [choice],
      otherText: null,
    };
    await owner.post(`/agents/${id}/turns/${turn.turn_id}/resume`, answer, { headers: STREAM }).catch(() => undefined);
    await until(() => agentService.pid !== pid);
    await agentService.ready();
    await until(async () => (await statusOf(turn.turn_id)) === 'COMPLETED', { timeoutMs: 120_000 });
    expect(await count(title)).toBe(runs);
    const repeated = await owner.post(`/agents/${id}/turns/${turn.turn_id}/resume`, answer, { headers: STREAM });
    expect(repeated.body.data).toMatchObject({ idempotent: true });
    expect(await count(title)).toBe(runs);
  });

  it('counts where the turn could not be taken up at once, which is not held against the turn', async () => {
    const title = randomUUID();
    const turn = await ask(title);
    await agentService.arm('agent.taking-over', 'throw');
    const answer = {
      sessionId: turn.session_id,
      interactionId: turn.interaction.id,
      selectedOptionIds: ['approve'],
      otherText: null,
    };
    const refused = await owner.post(`/agents/${id}/turns/${turn.turn_id}/resume`, answer, { headers: STREAM });
    expect(refused.status).toBeGreaterThanOrEqual(500);
    await until(async () => (await statusOf(turn.turn_id)) === 'COMPLETED', { timeoutMs: 120_000 });
    expect(await count(title)).toBe(1);
    const [row] = await platform.database.query(`select deferrals, recoveries from session.turns where turn_id = $1`, [
      turn.turn_id,
    ]);
    expect(row).toEqual({ deferrals: 1, recoveries: 0 });
  });

  it('that is not answered in time counts as denied, and the model goes on', async () => {
    await sessionService.restart({ SESSION_INTERACTION_DAYS: '0.00002', SESSION_SWEEP_INTERVAL_MS: '100' });
    const title = randomUUID();
    const turn = await ask(title);
    expect(turn.status).toBe('WAITING_INPUT');
    await until(async () => (await statusOf(turn.turn_id)) === 'COMPLETED', { timeoutMs: 120_000 });
    expect(await count(title)).toBe(0);
    const { data } = (await owner.get(`/agents/sessions/${turn.session_id}/messages`)).body;
    expect(JSON.stringify(data.at(-1))).toContain('DENIED');
    const [interaction] = (await owner.get('/interactions?status=EXPIRED')).body.data;
    expect(interaction.id).toBe(turn.interaction.id);
  });
});
