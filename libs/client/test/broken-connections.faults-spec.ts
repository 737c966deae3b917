import { SwitchyardClient, text } from '@switchyard/client';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();

it('survives the death of the gateway in the middle of an answer', async () => {
  const member = await (await platform.newSpace()).member();
  const client = new SwitchyardClient({ baseUrl: platform.url, credential: member.credential });
  const { id: agentId } = await client.agents.create({ name: 'Helper', model: 'sim-chat', systemPrompt: 'Help.' });
  const stream = await client.agents.chat(agentId, { contents: text('@@delay 40\n@@tokens 100') });
  const seqs: number[] = [];
  let killed: Promise<void> | undefined;
  for await (const frame of stream.frames()) {
    seqs.push(frame.seq);
    if (seqs.length === 20) killed = platform.service('gateway').crash();
  }
  await killed;
  expect(stream.summary).toMatchObject({ status: 'COMPLETED', finishReason: 'stop' });
  expect(stream.summary.text.split(' ')).toHaveLength(100);
  expect(seqs).toEqual(seqs.map((_, at) => at + 1));
});
