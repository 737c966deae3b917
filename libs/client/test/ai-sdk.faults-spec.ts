import { randomUUID } from 'node:crypto';
import { readUIMessageStream, type UIMessage } from 'ai';
import { shownParts, SwitchyardChatTransport, type SwitchyardMessage } from '@switchyard/client/ai-sdk';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();

const textOf = (message: UIMessage | undefined): string =>
  message === undefined
    ? ''
    : shownParts(message)
        .map((part) => (part.type === 'text' ? part.text : ''))
        .join('');

it.each([
  ['gateway', '@@tokens 80'],
  ['agent', '@@tokens 80'],
  ['relay', '@@tokens 80'],
  // Asked again, a model seldom says the same.
  ['agent', '@@vary 80'],
  ['relay', '@@vary 80'],
])(
  'a message of the AI SDK is whole, and says nothing twice, when the %s is killed in the middle of %s',
  async (service, words) => {
    await platform.service(service).ready();
    const member = await (await platform.newSpace()).member();
    const agent = await member.post('/agents', { name: 'Helper', model: 'sim-chat', systemPrompt: 'Help.' });
    const { credential } = member;
    const transport = new SwitchyardChatTransport({ baseUrl: platform.url, credential, agentId: agent.body.data.id });
    const text = `@@delay 40\n${words}`;
    const chatId = randomUUID();
    const stream = await transport.sendMessages({
      trigger: 'submit-message',
      chatId,
      messageId: undefined,
      messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text }] }],
      abortSignal: undefined,
    });
    const shown: string[] = [];
    let killed: Promise<void> | undefined;
    let last: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream, terminateOnError: true })) {
      last = message;
      shown.push(textOf(message));
      if (textOf(message).length > 20) killed ??= platform.service(service).crash();
    }
    await killed;
    const stored = await member.get(`/agents/sessions/${transport.sessionOf(chatId) ?? ''}/messages`);
    const whole = stored.body.data[1].content[0].text as string;
    expect(textOf(last)).toBe(whole);
    // At no moment was there anything else than a beginning of it, or of what became void.
    const isVoid = Object.keys((last as SwitchyardMessage | undefined)?.metadata?.void ?? {});
    expect(isVoid).toHaveLength(words.startsWith('@@vary') ? 1 : 0);
    const parts = last?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) ?? [];
    expect(shown.filter((each) => !parts.some((text) => text.startsWith(each)))).toEqual([]);
    expect(last?.metadata).toMatchObject({ status: 'COMPLETED' });
  },
  120_000,
);
