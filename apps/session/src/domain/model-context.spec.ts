import type { ContextEntry } from './context-messages';
import { contextOf, summaryState } from './model-context';

const entry = (seq: number, rest: Partial<ContextEntry>): ContextEntry => ({
  id: `m${seq}`,
  seq,
  role: 'user',
  content: [{ type: 'text', text: `text ${seq}` }],
  toolCalls: null,
  toolCallId: null,
  name: null,
  tokens: 10,
  ...rest,
});
const call = (id: string) => ({ id, name: 'look', arguments: {} });
const none = { text: null, tokens: 0 };

describe('a model’s context', () => {
  it('is the summary and what followed, with its tokens', () => {
    const context = contextOf([entry(7, {}), entry(8, { role: 'assistant' })], { text: 'before', tokens: 5 });
    expect(context).toMatchObject({ summary: 'before', tokens: 25 });
    expect(context.messages.map((message) => message.seq)).toEqual([7, 8]);
  });

  it('leaves out events, results without a call and calls without a result', () => {
    const context = contextOf(
      [
        entry(1, { role: 'tool', toolCallId: 'lost' }),
        entry(2, {}),
        entry(3, { role: 'assistant', toolCalls: [call('a'), call('b')] }),
        entry(4, { role: 'event' }),
        entry(5, { role: 'tool', toolCallId: 'a' }),
        entry(6, { role: 'assistant', toolCalls: [call('c')], content: [] }),
      ],
      none,
    );
    expect(context.messages.map((message) => message.seq)).toEqual([2, 3, 5]);
    expect(context.messages[1]?.toolCalls).toEqual([call('a')]);
  });

  it('leaves out an answer that never came to its words', () => {
    const context = contextOf([entry(1, {}), entry(2, { role: 'assistant', content: [] }), entry(3, {})], none);
    expect(context.messages.map((message) => message.seq)).toEqual([1, 3]);
  });

  it('names heavy attachments of older messages and sends the newest one', () => {
    const heavy = {
      type: 'image_url' as const,
      image_url: { url: `data:image/png;base64,${'A'.repeat(5 * 1024 * 1024)}` },
    };
    const context = contextOf([entry(1, { content: [heavy] }), entry(2, { content: [heavy] })], none);
    expect(context.messages[0]?.content).toEqual([{ type: 'text', text: '[image]' }]);
    expect(context.messages[1]?.content).toEqual([heavy]);
  });

  it('knows whether its summary is behind', () => {
    expect(summaryState({ summary: null, compactedSeq: 0, lastSeq: 4 })).toBe('NONE');
    expect(summaryState({ summary: 's', compactedSeq: 4, lastSeq: 4 })).toBe('CURRENT');
    expect(summaryState({ summary: 's', compactedSeq: 4, lastSeq: 6 })).toBe('STALE');
  });
});
