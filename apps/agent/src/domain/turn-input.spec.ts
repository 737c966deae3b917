import type { StartExecute } from '@switchyard/contracts';
import { type AgentRecord, emptyBody } from './stored-agent';
import { executeRequest } from './turn-input';

const AGENT: AgentRecord = {
  ...emptyBody('a', 'm', 'Hello {{who}}'),
  promptVariables: [{ name: 'who', required: true }],
  tools: ['web_search', 'save_memory'],
  knowledge: [{ datasetId: 'd' }],
  id: 'a',
  system: false,
  version: 1,
  createdBy: null,
  createdAt: '',
  updatedAt: '',
  secrets: {},
};
const contents = [{ type: 'text' as const, text: 'hi' }];
const read = (execute: Partial<StartExecute>, webSearch = true): object =>
  executeRequest(AGENT, { agentId: 'a', inputs: {}, ...execute }, { webSearch }).input;

describe('what a run may use', () => {
  it('is asked for by the inputs of an execute', () => {
    const inputs = { who: 'Ann' };
    expect(read({ inputs })).toMatchObject({ webSearch: false, memory: false, knowledge: false });
    const all = { ...inputs, internet: true, memory: true, context: true };
    expect(read({ inputs: all })).toMatchObject({ webSearch: true, memory: true, knowledge: true });
    expect(() => read({ inputs: all }, false)).toThrow('no web search');
    expect(() => read({})).toThrow('who');
  });

  it('is what the agent has, where a job brings the contents of a chat', () => {
    expect(read({ contents })).toMatchObject({ webSearch: true, memory: true, knowledge: true });
    expect(read({ contents, disableWebSearch: true })).toMatchObject({ webSearch: false });
    expect(read({ contents }, false)).toMatchObject({ webSearch: false });
  });
});
