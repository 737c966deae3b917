import { render, type Scope } from './render';

const scope: Scope = {
  execution: { id: 'e', taskId: 't', attempt: 1, scheduledFor: null, inputs: { n: 1, big: 'x'.repeat(1000) } },
  steps: {},
};

describe('filling a step in', () => {
  it('fills every text of a value and leaves the rest', () => {
    const value = { a: ['{{ execution.inputs.n }}', 'n={{ execution.inputs.n }}', 5], '{{ key }}': null };
    expect(render(value, scope)).toEqual({ a: [1, 'n=1', 5], '{{ key }}': null });
  });

  it('stops a step that would grow without end', () => {
    expect(() => render(Array(20).fill('{{ execution.inputs.big }}'), scope, 10_000)).toThrow(/over 10000 characters/);
  });
});
