import { stopOrder } from './stop-order';

const servers = new Set(['postgres', 'nats', 'redis']);

describe('the order of a stop', () => {
  it('ends agents before the session service, which turns are given back to, and servers last', () => {
    const names = ['nats', 'postgres', 'session', 'agent', 'gateway', 'session-2', 'agent-2'];
    expect(stopOrder(names, servers)).toEqual([
      ['agent', 'gateway', 'agent-2'],
      ['session', 'session-2'],
      ['nats', 'postgres'],
    ]);
  });

  it('leaves no group without a process', () => {
    expect(stopOrder(['nats', 'agent'], servers)).toEqual([['agent'], ['nats']]);
  });
});
