import { sqlStates, sqlStatesByKey, StateMachine } from './state-machine';

const machine = new StateMachine<'OPEN' | 'HELD' | 'DONE'>({
  OPEN: ['HELD', 'DONE'],
  HELD: ['HELD', 'DONE'],
  DONE: [],
});

describe('a state machine', () => {
  it('lists its transitions', () => {
    expect(machine.canMove('OPEN', 'HELD')).toBe(true);
    expect(machine.canMove('HELD', 'OPEN')).toBe(false);
    expect(machine.before('DONE')).toEqual(['OPEN', 'HELD']);
    expect(machine.before('DONE', ['HELD', 'DONE'])).toEqual(['HELD']);
  });

  it('knows its ends', () => expect(machine.ended).toEqual(['DONE']));

  it('is written into conditions of SQL, and never into an empty one', () => {
    expect(sqlStates(machine.before('DONE'))).toBe(`('OPEN', 'HELD')`);
    expect(sqlStatesByKey('r.state', 'OPEN', 'HELD')).toBe(
      `(r.state is not distinct from 'OPEN' or r.state is not distinct from 'HELD')`,
    );
    for (const empty of [() => sqlStates([]), () => sqlStatesByKey('r.state')]) expect(empty).toThrow('no state');
  });
});
