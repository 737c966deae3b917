import { latestPerExecution } from './latest-per-execution';

const leased = (id: string, epoch: number): { hold: { id: string; epoch: number } } => ({ hold: { id, epoch } });

describe('executions that a worker ends at one time', () => {
  it('count once, by the hold that was taken last', () => {
    const [before, other, after] = [leased('a', 1), leased('b', 7), leased('a', 2)];
    expect([...latestPerExecution([before, other, after]).values()]).toEqual([after, other]);
    expect(latestPerExecution([after, before]).get('a')).toBe(after);
  });
});
