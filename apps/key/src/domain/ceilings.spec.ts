import { mergeCeilings } from './ceilings';

describe('ceilings of a Space', () => {
  it('merges what is given into what is there, and null takes one back', () => {
    expect(mergeCeilings({ agents: 3, tasks: 1 }, { agents: 0, keys: 2 })).toEqual({ agents: 0, tasks: 1, keys: 2 });
    expect(mergeCeilings({ agents: 3, tasks: 1 }, { agents: null })).toEqual({ tasks: 1 });
  });

  it('takes no names that it does not know', () => {
    expect(mergeCeilings({}, JSON.parse('{"__proto__": {"agents": 1}, "isAdmin": 1}') as object)).toEqual({});
  });
});
