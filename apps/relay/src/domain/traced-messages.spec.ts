import { tracedOutput, tracedText } from './traced-output';
import { answerOf, messageOf } from './traced-messages';

const call = { id: 'c1', name: 'act', arguments: '{"a":1}' };
const part = { type: 'tool_call', id: 'c1', name: 'act', arguments: { a: 1 } };

describe('a message in the schema of the conventions', () => {
  it.each<[string, unknown, unknown]>([
    ['a plain text', 'Hi', { role: 'user', parts: [{ type: 'text', content: 'Hi' }] }],
    [
      'instructions',
      { role: 'developer', content: 'Be.' },
      { role: 'system', parts: [{ type: 'text', content: 'Be.' }] },
    ],
    [
      'a call in our spelling',
      { role: 'assistant', content: null, toolCalls: [call] },
      { role: 'assistant', parts: [part] },
    ],
    [
      "a call in OpenAI's",
      { role: 'assistant', content: 'So', tool_calls: [{ id: 'c1', type: 'function', function: call }] },
      { role: 'assistant', parts: [{ type: 'text', content: 'So' }, part] },
    ],
    [
      'a result',
      { role: 'tool', content: 'done', toolCallId: 'c1', name: 'act' },
      { role: 'tool', name: 'act', parts: [{ type: 'tool_call_response', id: 'c1', response: 'done' }] },
    ],
    [
      'an item of the Responses API',
      { type: 'function_call', call_id: 'c1', name: 'act', arguments: '{"a":1}' },
      { role: 'assistant', parts: [part] },
    ],
    [
      'its result',
      { type: 'function_call_output', call_id: 'c1', output: 'done' },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'done' }] },
    ],
    [
      'parts of several kinds: bytes are left out',
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'See' },
          { type: 'image_url', image_url: { url: 'https://x.example/a.png' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'input_audio', input_audio: { data: 'AAAA' } },
        ],
      },
      {
        role: 'user',
        parts: [
          { type: 'text', content: 'See' },
          { type: 'uri', modality: 'image', uri: 'https://x.example/a.png' },
          { type: 'text', content: '[image_url left out]' },
          { type: 'text', content: '[input_audio left out]' },
        ],
      },
    ],
    [
      'arguments that are no JSON',
      { role: 'assistant', tool_calls: [{ ...call, arguments: '{' }] },
      {
        role: 'assistant',
        parts: [{ ...part, arguments: '{' }],
      },
    ],
    ['nothing of all that', 7, { role: 'user', parts: [] }],
    [
      'a call that is none',
      { role: 'assistant', tool_calls: [null] },
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: null, name: '', arguments: null }],
      },
    ],
  ])('%s', (_, message, expected) => {
    expect(messageOf(message)).toEqual(expected);
  });
});

describe('an answer in the schema of the conventions', () => {
  it('has its reasoning, its text, its calls and why it ended', () => {
    expect(answerOf({ text: 'Hi', reasoning: 'Hm', toolCalls: [call], finishReason: 'tool_calls' })).toEqual({
      role: 'assistant',
      parts: [{ type: 'reasoning', content: 'Hm' }, { type: 'text', content: 'Hi' }, part],
      finish_reason: 'tool_call',
    });
    expect(answerOf(tracedText('', false))).toEqual({ role: 'assistant', parts: [], finish_reason: 'error' });
  });

  it('is read of each kind of whole answer', () => {
    const message = { content: 'Hi', tool_calls: [{ index: 0, id: 'c1', function: call }] };
    expect(tracedOutput({ choices: [{ message, finish_reason: 'stop' }] })).toEqual({
      text: 'Hi',
      reasoning: '',
      toolCalls: [call],
      finishReason: 'stop',
    });
    expect(tracedOutput({ choices: [{ text: 'So', finish_reason: 'length' }] })).toMatchObject({
      text: 'So',
      finishReason: 'length',
    });
    const output = [{ type: 'message', content: [{ type: 'output_text', text: 'Yes' }] }, { type: 'reasoning' }];
    expect(tracedOutput({ status: 'completed', output })).toEqual(tracedText('Yes', true));
    for (const nothing of [null, 'text', { choices: 'none' }, { output: [null] }])
      expect(tracedOutput(nothing).text).toBe('');
  });
});
