import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { AGENT, STREAM, type WireFrame, contentsOf } from './talk';

/** A restart, a lease, and some trials. */
const PATIENCE = { timeoutMs: 200_000, everyMs: 250 };
const HOLD = { name: 'hold', description: 'Waits for the host.', parameters: { type: 'object' } };

// Hooks run in their order: before `usePlatform` closes the connection to the database.
afterAll(async () => {
  await endTrial();
  await agentService.ready();
}, 300_000);
const platform = usePlatform();
const agentService = platform.service('agent');
let space: TestSpace;
let owner: Client;

const endTrial = () => platform.database.query(`delete from session.lost_work where kind = 'trial of turns'`);

interface StoredTurn {
  turnId: string;
  status: string;
  owner: string | null;
  recoveries: number;
  claimReason: string | null;
}

const storedTurns = (): Promise<StoredTurn[]> =>
  platform.database.query<StoredTurn>(
    `select turn_id as "turnId", status, owner, recoveries, claim_reason as "claimReason" from session.turns where space_id = $1`,
    [space.id],
  );

beforeEach(async () => {
  await agentService.ready();
  await endTrial();
  space = await platform.newSpace();
  ({ owner } = space);
});

it('turns that wait for their host do not keep each other from being taken up, and end when it has answered', async () => {
  const agentId = (await owner.post('/agents', { ...AGENT, localTools: [HOLD] })).body.data.id as string;
  const begin = async () => {
    const turnId = randomUUID();
    const body = { ...contentsOf('@@tool hold {}\n@@reply done {{tool}}'), turnId };
    const { frames } = await owner.stream(`/agents/${agentId}/chat`, body, { headers: STREAM });
    const call = { turnId, sessionId: '', callId: '' };
    for await (const frame of frames) {
      const { data } = (frame.data as WireFrame).params;
      if (data.event === PRODUCT_EVENTS.sessionStarted) call.sessionId = data.session_id;
      if (data.event !== PRODUCT_EVENTS.localToolCall) continue;
      call.callId = data.call_id;
      return call;
    }
    throw new Error('the host was not called');
  };
  const calls = [await begin(), await begin(), await begin()];
  await agentService.kill('SIGKILL');
  // They were lost together, which blames none. For as long as this trial lasts, they are tried one by one.
  await until(async () => (await storedTurns()).every(({ recoveries }) => recoveries === 1), PATIENCE);
  await until(
    async () =>
      (
        await platform.database.query(
          `update session.lost_work set lost_at = now() + interval '1 hour' where kind = 'trial of turns' returning 1`,
        )
      ).length === 1,
    PATIENCE,
  );
  await until(async () => (await storedTurns()).every((turn) => turn.claimReason === 'waiting'), PATIENCE);
  for (const { turnId, sessionId, callId } of calls)
    await until(async () => {
      const answer = { sessionId, callId, result: 'yes' };
      return (await owner.post(`/agents/${agentId}/turns/${turnId}/tool-results`, answer)).status === 200;
    }, PATIENCE);
  await until(async () => (await storedTurns()).every(({ status }) => status === 'COMPLETED'), PATIENCE);
  for (const { sessionId } of calls) {
    const { data } = (await owner.get(`/agents/sessions/${sessionId}/messages`)).body;
    expect(data.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  }
}, 400_000);
