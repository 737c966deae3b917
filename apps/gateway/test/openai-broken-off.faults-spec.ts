import OpenAI from 'openai';
import { usePlatform } from '@switchyard/testing';

/** A model that is asked again seldom says the same: what was said before a crash is then void, and other words come. */
const platform = usePlatform();
const SLOW = '@@delay 60\n@@vary 60';
const wordsOf = (text: string): string[] => text.split(' ').filter((word) => word !== '');

afterAll(() => platform.service('agent').ready());

it('is broken off where a chunk cannot be taken back, and told whole to who asks again; items are void', async () => {
  await platform.service('agent').ready();
  const space = await platform.newSpace();
  const body = { name: 'A', model: 'sim-chat', systemPrompt: 'You test.' };
  const model: string = (await space.owner.post('/agents', body)).body.data.id;
  const { credential } = await space.key();
  const openai = new OpenAI({ baseURL: `${platform.url}/openai/v1`, apiKey: credential });

  /** Adds up, as all clients of chat completions do. */
  const chat = async (onText: (text: string) => void): Promise<string> => {
    const headers = { 'Idempotency-Key': `broken-${model}` };
    const messages = [{ role: 'user' as const, content: SLOW }];
    let text = '';
    for await (const { choices } of await openai.chat.completions.create(
      { model, messages, stream: true },
      { headers },
    )) {
      text += choices[0]?.delta.content ?? '';
      onText(text);
    }
    return text;
  };
  /** Adds up too, and looks at the items: those that are closed as incomplete are void. */
  const respond = async (onText: (text: string) => void): Promise<{ text: string; id: string; voided: number }> => {
    const shown = new Map<string, string>();
    let [id, voided] = ['', 0];
    for await (const event of await openai.responses.create({ model, input: SLOW, stream: true })) {
      if (event.type === 'response.created') id = event.response.id;
      if (event.type === 'response.output_text.delta') {
        shown.set(event.item_id, (shown.get(event.item_id) ?? '') + event.delta);
        onText([...shown.values()].join(''));
      }
      if (event.type !== 'response.output_item.done' || event.item.type !== 'message') continue;
      if (event.item.status === 'incomplete' && shown.delete(event.item.id)) voided += 1;
    }
    return { text: [...shown.values()].join(''), id, voided };
  };

  const onText = { chat: '', responses: '' };
  let killed: Promise<void> | undefined;
  const append = (of: keyof typeof onText, text: string): void => {
    onText[of] = text;
    // Once both have begun.
    if (wordsOf(onText.chat).length > 5 && wordsOf(onText.responses).length > 5)
      killed ??= platform.service('agent').kill('SIGKILL');
  };
  const [broken, whole] = await Promise.all([
    chat((text) => {
      append('chat', text);
    }).catch((error: unknown) => error),
    respond((text) => {
      append('responses', text);
    }),
  ]);
  await killed;
  expect(broken).toBeInstanceOf(OpenAI.APIError);
  expect(broken).toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
  const seen = wordsOf(onText.chat);

  const again = wordsOf(await chat(() => undefined));
  expect(again).toHaveLength(60);
  expect(again.filter((word) => seen.includes(word))).toEqual([]);
  // Nothing ran twice: a repeated request gets the same answer.
  expect(wordsOf(await chat(() => undefined))).toEqual(again);

  expect(whole.voided).toBe(1);
  expect(wordsOf(whole.text)).toHaveLength(60);
  expect((await openai.responses.retrieve(whole.id)).output_text).toBe(whole.text);
}, 300_000);
