import { failpoint, openFailpoints } from './failpoints';

describe('a failpoint', () => {
  // A process cannot close its failpoints again, so the order of these two matters.
  it('is nothing, not even a promise, in a process that has not opened them', () => {
    expect(failpoint('task.ending')).toBeUndefined();
  });

  it('acts at the hit it was armed for, once, and counts every hit', async () => {
    const { armed, hits } = openFailpoints();
    armed.set('task.ending', { name: 'task.ending', action: 'throw', atHit: 2, delayMs: 0 });
    await failpoint('task.ending');
    await expect(failpoint('task.ending')).rejects.toThrow('task.ending');
    await failpoint('task.ending');
    await failpoint('job.callback-sent');
    expect([...hits]).toEqual([
      ['task.ending', 3],
      ['job.callback-sent', 1],
    ]);
  });
});
