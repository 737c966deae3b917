import { type FieldRules, picked, RecordFields } from './record-fields';

interface View {
  name: string;
  tags: string[];
  note: string | null;
}
type Listed = Omit<View, 'note'>;
interface Changes {
  name?: string;
  tags?: string[];
  note?: string | null;
}

const small = false as const;
const rules: FieldRules<View, Listed, Changes> = {
  name: { initial: '', isLarge: small, bytes: 10 },
  tags: { initial: [], isLarge: small, changed: (tags, before) => [...new Set([...before, ...tags])] },
  note: { initial: null, isLarge: true, changed: (note) => note.trim() },
};
const fields = new RecordFields<View, Listed, Changes>(rules);

describe('the fields of a record', () => {
  it('are listed by their size, with their bounds', () => {
    expect([fields.names, fields.large, fields.listed, fields.bounds]).toEqual([
      ['name', 'tags', 'note'],
      ['note'],
      ['name', 'tags'],
      [['name', 10]],
    ]);
    expect(picked({ a: 1, b: 2, c: 3 }, ['c', 'a'])).toEqual({ c: 3, a: 1 });
  });

  it('have initial values of their own in each record', () => {
    const [one, other] = [fields.initial(), fields.initial()];
    expect(one).toEqual({ name: '', tags: [], note: null });
    expect(one.tags).not.toBe(other.tags);
  });

  it('take what a change gives, also null, and nothing without a line', () => {
    const before: View = { name: 'n', tags: ['a'], note: 'x' };
    expect(fields.changed(before, { tags: ['a', 'b'], note: ' y ' })).toEqual({
      name: 'n',
      tags: ['a', 'b'],
      note: 'y',
    });
    expect(fields.changed(before, { note: null, id: 1 } as Changes)).toEqual({ ...before, note: null });
  });
});

describe('a field that is forgotten in one of its places does not compile', () => {
  it.each([
    // @ts-expect-error -- the table lacks `note`
    ['in the table', { name: rules.name, tags: rules.tags } satisfies FieldRules<View, Listed, Changes>],
    [
      'in the view',
      // @ts-expect-error -- `labels` is sent and not shown
      { ...rules, labels: { initial: [], isLarge: small } } satisfies FieldRules<
        View,
        Listed,
        Changes & { labels?: [] }
      >,
    ],
    [
      'in the body of a change',
      // @ts-expect-error -- `labels` is shown and not sent
      { ...rules, labels: { initial: [], isLarge: small } } satisfies FieldRules<
        View & { labels: [] },
        Listed,
        Changes
      >,
    ],
    // @ts-expect-error -- `note` is not in lists
    ['in lists', { ...rules, note: { initial: null, isLarge: small } } satisfies FieldRules<View, Listed, Changes>],
  ])('%s', (_, table) => {
    expect(Object.keys(table).length).toBeGreaterThan(1);
  });
});
