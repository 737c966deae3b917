import { newestOfEach } from './newest-of-each';

const held = (id: string, epoch: number): { hold: { id: string; epoch: number } } => ({ hold: { id, epoch } });

describe('executions that a worker ends at one time', () => {
  it('count once, by the hold that was taken last', () => {
    const [before, other, after] = [held('a', 1), held('b', 7), held('a', 2)];
    expect([...newestOfEach([before, other, after]).values()]).toEqual([after, other]);
    expect(newestOfEach([after, before]).get('a')).toBe(after);
  });
});
