import type { Rows } from '../client/pipelined-batch';
import { answersOf, buildPipeline } from './tenant-batch';

const write = (name: string) => ({ sql: name, params: [] });
const part = (spaceId: string, ...names: string[]) => ({ spaceId, writes: names.map(write) });

describe('writes of several Spaces in one trip', () => {
  const parts = [part('a', 'one', 'two'), part('b', 'three'), part('b'), part('b', 'four'), part('a', 'five')];
  const batch = buildPipeline(parts);

  it('stand behind their Space each', () => {
    const sent = batch.statements.map(({ name, sql, params }) =>
      name === 'in-space' ? `in ${String(params[0])}` : sql,
    );
    expect(sent).toEqual(['in a', 'one', 'two', 'in b', 'three', 'four', 'in a', 'five']);
  });

  it('get their own answers', () => {
    const rows: Rows[] = batch.statements.map(({ sql }) => [{ of: sql }]);
    const answers = answersOf(parts, batch, rows).map((each) => each.map(([row]) => row?.['of']));
    expect(answers).toEqual([['one', 'two'], ['three'], [], ['four'], ['five']]);
  });
});
