import type { Cause } from './cause-time';
import { nameOf } from './cause-names';

const node = (fields: Partial<Cause>): Cause => ({ key: 'k', parentKey: null, id: 'i', ...fields }) as Cause;
const agentName = (id: string): string => (id === 'a' ? 'Customer desk' : '');

describe('the name of a cause', () => {
  test.each([
    ['a turn of a task has its agent', { kind: 'turn', name: null, agentId: 'a' }, 'Customer desk'],
    ['a turn of a chat has its topic too', { kind: 'turn', name: 'Hello', agentId: 'a' }, 'Customer desk: Hello'],
    ['a turn of a deleted agent is a turn', { kind: 'turn', name: null, agentId: 'b' }, 'Turn'],
    ['other kinds have their own name', { kind: 'execution', name: 'Nightly report' }, 'Nightly report'],
    ['a record without a name has its kind', { kind: 'model_call', name: null }, 'Model call'],
    ['a private record has none', { kind: 'turn', name: 'Hello', agentId: 'a', hidden: true }, 'Private'],
  ] as const)('%s', (_title, fields, name) => expect(nameOf(node(fields), agentName)).toBe(name));
});
