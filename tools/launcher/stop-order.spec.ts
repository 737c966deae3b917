import { stopOrder, stopsInSteps } from './stop-order';

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

  it('ends a host with the session service after the other hosts, and its agent with them', () => {
    const names = ['session+agent', 'gateway+relay', 'nats'];
    expect(stopOrder(names, servers)).toEqual([['gateway+relay'], ['session+agent'], ['nats']]);
    expect([...names, 'session'].filter(stopsInSteps)).toEqual(['session+agent']);
  });

  it('leaves no group without a process', () => {
    expect(stopOrder(['nats', 'agent'], servers)).toEqual([['agent'], ['nats']]);
  });
});
