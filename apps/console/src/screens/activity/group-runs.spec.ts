import type { Activity } from '@switchyard/client';
import { linesOf, outcomesOf } from './group-runs';

const row = (id: string, taskId: string | null, status: Activity['status'] = 'SUCCEEDED'): Activity =>
  ({ kind: taskId === null ? 'turn' : 'execution', id, taskId, status }) as Activity;
const ROWS = [row('1', 'a'), row('2', null), row('3', 'b'), row('4', 'a', 'FAILED')];
const shown = (isGrouped: boolean, ...open: string[]): string[] =>
  linesOf(ROWS, isGrouped, new Set(open)).map(
    ({ key, runs, isInner }) => `${isInner ? '> ' : ''}${key} ${runs?.length ?? 1}`,
  );

describe('the lines of the activity', () => {
  it('are one for the runs of a task, where the newest is', () => {
    expect(shown(true)).toEqual(['runs:a 2', 'turn:2 1', 'execution:3 1']);
  });

  it('show the runs of an open one below it', () => {
    expect(shown(true, 'runs:a')).toEqual([
      'runs:a 2',
      '> execution:1 1',
      '> execution:4 1',
      'turn:2 1',
      'execution:3 1',
    ]);
  });

  it('are one for each record, where that is chosen', () => {
    expect(shown(false, 'runs:a')).toHaveLength(4);
  });

  it('say the worst first', () => {
    expect(outcomesOf(ROWS)).toEqual([
      { outcome: 'failed', count: 1 },
      { outcome: 'done', count: 3 },
    ]);
  });
});
