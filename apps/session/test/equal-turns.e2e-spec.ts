import { newId } from '@switchyard/kernel';
import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const AGENT = { name: 'Shared', model: 'sim-chat', systemPrompt: 'Answer.' };

describe('turns that two people of a Space name equally', () => {
  let space: TestSpace;
  let agentId: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    agentId = (await space.owner.post('/agents', AGENT)).body.data.id;
  });

  const text = async (client: Client, turnId: string): Promise<string> => {
    const body = { contents: [{ type: 'text', text: 'hi' }], turnId, stream: false };
    return (await client.post(`/agents/${agentId}/chat`, body)).body.data.session_id as string;
  };

  it('are each the one of its reader, also of an ADMIN who may read both', async () => {
    const member = await space.member();
    for (const readsFirst of [true, false]) {
      const turnId = newId();
      const own = readsFirst ? await text(space.owner, turnId) : null;
      const of = await text(member, turnId);
      const mine = own ?? (await text(space.owner, turnId));
      const read = async (client: Client): Promise<unknown> =>
        (await client.get(`/agents/${agentId}/turns/${turnId}`)).body.data.sessionId;
      expect([await read(space.owner), await read(member)]).toEqual([mine, of]);
    }
  });
});
