import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { ok } from './an-endpoint';
import { type NatsAccount, closeConnections, newAccount } from './nats-account';

const platform = usePlatform();
const CONTENTS = [{ type: 'text', text: '@@tool save_memory {"text": "x"}\n@@reply {{tool}}' }];

let space: TestSpace;
let agentId: string;

beforeAll(async () => {
  space = await platform.newSpace();
  const approvals = [{ tool: 'save_memory' }];
  const agent = { name: 'Careful', model: 'sim-chat', systemPrompt: 's', tools: ['save_memory'], approvals };
  agentId = ok(await space.owner.post('/agents', agent), 201).id as string;
});

afterAll(closeConnections);

interface Waiting {
  turnId: string;
  answer: { sessionId: string; interactionId: string; selectedOptionIds: string[]; otherText: null };
}

async function waiting(account: NatsAccount): Promise<Waiting> {
  const { body } = await account.request(`agents.${agentId}.chat`, { contents: CONTENTS, stream: false });
  expect(body.data).toMatchObject({ status: 'WAITING_INPUT', interaction: { by: 'USER' } });
  const { session_id: sessionId, turn_id: turnId, interaction } = body.data;
  return {
    turnId,
    answer: { sessionId, interactionId: interaction.id, selectedOptionIds: ['approve'], otherText: null },
  };
}

const statusOf = async (turnId: string): Promise<string> =>
  ok(await space.owner.get(`/agents/${agentId}/turns/${turnId}`), 200).status as string;

describe('an approval by the user of a turn of an account', () => {
  it('is given by an ADMIN, who sees it in the inbox', async () => {
    const { account } = await newAccount(platform, space, { role: 'MEMBER', scopes: ['agents:call', 'agents:read'] });
    const { turnId, answer } = await waiting(account);
    const inbox = async (client = space.owner) =>
      (ok(await client.get(`/interactions?status=PENDING&agentId=${agentId}`), 200) as { id: string }[]).filter(
        ({ id }) => id === answer.interactionId,
      );
    expect(await inbox()).toMatchObject([{ purpose: 'approval', answerable: true }]);
    const member = await space.member('MEMBER');
    expect(await inbox(member)).toEqual([]);
    const path = `/agents/${agentId}/turns/${turnId}/resume`;
    const headers = { 'X-Service-Stream-Protocol': 'stream-v3' };
    expect((await member.post(path, answer, { headers })).status).toBe(404);
    const [own] = await account.stream(`turns.${agentId}.${turnId}.resume`, answer);
    expect(own).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await space.owner.post(path, answer, { headers })).status).toBe(200);
    await until(async () => (await statusOf(turnId)) === 'COMPLETED');
  });

  it('is given by the account itself with the scope approvals:answer', async () => {
    const { account } = await newAccount(platform, space, {
      role: 'MEMBER',
      scopes: ['agents:call', 'agents:read', 'approvals:answer'],
    });
    const { turnId, answer } = await waiting(account);
    const frames = await account.stream(`turns.${agentId}.${turnId}.resume`, answer);
    expect(frames.at(-1)).toMatchObject({ status: 200 });
    await until(async () => (await statusOf(turnId)) === 'COMPLETED');
  });
});
