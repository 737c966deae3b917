import { until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

interface State {
  values: { messages: { id: string; type: string }[] };
}

test('a message of a thread is sent again in any letters, and takes no name of another message', async () => {
  const space = await platform.newSpace();
  const key = await space.key();
  const agent = { name: 'A', model: 'sim-chat', systemPrompt: 'You test.' };
  const assistantId = (await space.owner.post('/agents', agent)).body.data.id as string;
  const thread = `/langgraph/threads/${crypto.randomUUID()}`;
  const command = (content: string, id: string): ReturnType<typeof key.raw> =>
    key.raw('POST', `${thread}/commands`, {
      id: 1,
      method: 'run.start',
      params: { assistant_id: assistantId, input: { messages: [{ type: 'human', id, content }] } },
    });
  const messages = async (): Promise<State['values']['messages']> =>
    ((await key.raw('GET', `${thread}/state`)).body as State).values.messages;

  const name = crypto.randomUUID();
  const first = await command('@@reply One.', name);
  expect(first.status).toBe(200);
  await until(async () => (await messages()).length === 2);
  const again = await command('@@reply One.', name.toUpperCase());
  expect([again.status, again.body.result]).toEqual([200, first.body.result]);
  const [human, ai] = await messages();
  expect(human?.id).toBe(name);
  const edited = await command('@@reply Two.', ai?.id ?? '');
  expect([edited.status, JSON.stringify(edited.body)]).toEqual([
    400,
    expect.stringContaining('params.input.messages[0].id'),
  ]);
  expect(await messages()).toHaveLength(2);
});
