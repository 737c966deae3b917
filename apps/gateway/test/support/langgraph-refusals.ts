const HI = { messages: [{ type: 'human', content: 'hi' }] };
const TOO_MANY = Array.from({ length: 300 }, () => ({ interrupt_id: crypto.randomUUID(), response: 'a' }));

/** Invalid new threads, with the field named in the error. */
export const REFUSED_THREADS = [
  [{ ttl: 60 }, 'ttl'],
  [{ metadata: { graph_id: 'agent' } }, 'metadata.graph_id'],
  [{ thread_id: 'mine' }, 'thread_id'],
  // Made of a name.
  [{ thread_id: '5f0c2f5e-0000-8000-8000-000000000000' }, 'thread_id'],
] as const;

/** Invalid requests to threads: path, body, and the field named in the error. */
export function refusedBodies(assistantId: string): readonly (readonly [string, object, string])[] {
  const params = { assistant_id: assistantId, input: HI };
  const start = (more: object): object => ({ id: 1, method: 'run.start', params: { ...params, ...more } });
  const input = (message: object): object => start({ input: { messages: [message] } });
  return [
    ['commands', { id: 1, method: 'state.fork' }, 'method'],
    ['commands', { method: 'run.start' }, 'id'],
    ['commands', start({ assistant_id: 'agent' }), 'params.assistant_id'],
    ['commands', start({ multitask_strategy: 'rollback' }), 'params.multitask_strategy'],
    ['commands', start({ input: 'hi' }), 'params.input'],
    ['commands', start({ input: { ...HI, files: [1] } }), 'params.input.files'],
    [
      'commands',
      start({ config: { configurable: { checkpoint_id: 'x' } } }),
      'params.config.configurable.checkpoint_id',
    ],
    ['commands', input({ type: 'robot', content: 'hi' }), 'params.input.messages[0].type'],
    ['commands', input({ type: 'human', content: '' }), 'params.input.messages[0].content'],
    ['commands', input({ type: 'human', content: [{ type: 'image' }] }), 'params.input.messages[0].content[0]'],
    ['commands', input({ type: 'ai', content: 'hi' }), 'params.input.messages'],
    ['commands', input({ type: 'tool', content: 'hi' }), 'params.input.messages[0].tool_call_id'],
    ['commands', { id: 1, method: 'input.respond', params: {} }, 'params.interrupt_id'],
    ['commands', { id: 1, method: 'input.respond', params: { interrupt_id: 'x' } }, 'params.response'],
    ['commands', { id: 1, method: 'input.respond', params: { responses: TOO_MANY } }, 'params.responses'],
    ['commands', input({ lc: 1, id: [{ toString: 0 }], kwargs: {} }), 'params.input.messages[0].id'],
    ['commands', { id: 1, method: 'run.cancel', params: { run_id: 'x' } }, 'params.run_id'],
    ['stream/events', { channels: ['weather'] }, 'channels[0]'],
    ['stream/events', { channels: ['values'], since: -1 }, 'since'],
    ['history', { before: { checkpoint_id: 'x' } }, 'before'],
  ];
}
