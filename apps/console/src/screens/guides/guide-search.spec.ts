import { sectionsLike } from './guide-search';

const OUTLINES = [
  {
    guide: 'datasets',
    title: 'Datasets',
    sections: [
      { heading: 'Datasets', words: 'typed' },
      { heading: 'Files', words: 'csv export ndjson' },
      { heading: 'Limits', words: 'csv rows' },
    ],
  },
  {
    guide: 'tasks',
    title: 'Tasks and jobs',
    sections: [
      { heading: 'Tasks and jobs', words: '' },
      { heading: 'Schedules', words: 'cron zone' },
      { heading: 'Export of CSV', words: '' },
    ],
  },
];

const found = (typed: string): string[] =>
  sectionsLike(OUTLINES, typed, 6).map(({ guide, heading }) => `${guide}: ${heading ?? 'its beginning'}`);

describe('the search of the guides', () => {
  it('finds sections by words of their text', () => {
    expect(found('Cron')).toEqual(['tasks: Schedules']);
  });

  it('takes the beginning of a word, unless it is that of too many', () => {
    expect(found('ndj')).toEqual(['datasets: Files']);
    expect(found('cr')).toEqual([]);
    expect(found('son')).toEqual([]);
  });

  it('puts sections that are called so first, and wants all that is typed', () => {
    expect(found('csv')).toEqual(['tasks: Export of CSV', 'datasets: Files', 'datasets: Limits']);
    expect(found('rows csv')).toEqual(['datasets: Limits']);
  });

  it('puts the page that is called so before a heading of another page', () => {
    const outlines = [
      { guide: 'first', title: 'First', sections: [{ heading: 'Upgrade', words: '' }] },
      { guide: 'upgrade', title: 'Upgrade', sections: [{ heading: 'Upgrade', words: '' }] },
    ];
    expect(sectionsLike(outlines, 'upgrade', 6).map(({ guide }) => guide)).toEqual(['upgrade', 'first']);
    expect(sectionsLike(outlines, 'upgrade', 1)).toHaveLength(1);
  });

  it('leads to the beginning of a guide that is called so', () => {
    expect(found('jobs')).toEqual(['tasks: its beginning']);
  });

  it('finds nothing where nothing is typed', () => {
    expect(found('  ')).toEqual([]);
  });
});
