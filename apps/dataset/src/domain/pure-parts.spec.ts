import { limitPageBytes } from './limit-page-bytes';
import { readCell } from './parse-csv-cell';
import { fuseRanks } from './fuse-ranks';
import { markWords, shownExcerpt, spacelessWords } from './highlight';
import { checkNewSchema } from './check-schema';
import { layoutOf } from './table-layout';
import { splitChangeEvents } from './split-change-events';
import { cosineScore } from './cosine-score';
import { spacedQuery } from './scripts-without-spaces';
import { textFrames } from './split-text';

describe('spacedQuery', () => {
  it.each([
    ['plain words', 'plain words'],
    ['東京都', '"東京 京都" '],
    ['-東京都 bread', '-"東京 京都"  bread'],
    ['"東京都"', '" 東京 京都 "'],
    ['京', '"京" '],
  ])('%s', (query, expected) => {
    expect(spacedQuery(query)).toBe(expected);
  });
});

describe('highlights', () => {
  it('escape all that is not a mark', () => {
    expect(shownExcerpt('<b>\uE000x\uE001</b> & "y"')).toBe('&lt;b&gt;<mark>x</mark>&lt;/b&gt; &amp; &quot;y&quot;');
  });

  it('bring back the brackets that stood aside', () => {
    expect(shownExcerpt('\u0002b\u0003\uE000x\uE001')).toBe('&lt;b&gt;<mark>x</mark>');
  });

  it('are none where nothing was found', () => {
    expect(shownExcerpt('nothing')).toBeNull();
    expect(markWords('abc', ['地下鉄'])).toBe('');
  });

  it('take nothing in a text for a mark or a bracket of theirs', () => {
    const text = '\uE001東\uE000京\u0002b\u0003';
    expect(shownExcerpt(markWords(text, ['京']))).toBe(' 東 <mark>京</mark> b ');
  });

  it('find words in texts without spaces', () => {
    expect(spacelessWords('a 地下鉄 b')).toEqual(['地下鉄']);
    expect(shownExcerpt(markWords('東京の地下鉄', ['地下鉄']))).toBe('東京の<mark>地下鉄</mark>');
  });
});

describe('cosineScore', () => {
  it.each([
    [0.99999995, 1],
    [1.0000001, 1],
    [-1.5, -1],
    [0.1234567, 0.123457],
    [-1e-9, 0],
  ])('of %d is %d', (cosine, score) => {
    expect(cosineScore(cosine)).toBe(score);
  });
});

describe('fuseRanks', () => {
  it('puts what both rankings have before what one has', () => {
    const fused = fuseRanks(
      [
        ['a', 'b'],
        ['c', 'b'],
      ],
      (item) => item,
      10,
    );
    expect(fused.map(({ item }) => item)).toEqual(['b', 'a', 'c']);
    expect(fused[0]!.score).toBeCloseTo(2 / 62);
  });
});

describe('splitChangeEvents', () => {
  const row = (id: string, size = 1) => ({ id, before: null, after: { text: 'x'.repeat(size) } });

  it('keeps the order and bounds each part', () => {
    const rows = Array.from({ length: 250 }, (_, i) => row(String(i)));
    const parts = splitChangeEvents(rows);
    expect(parts.map((part) => part.length)).toEqual([100, 100, 50]);
    expect(parts.flat()).toEqual(rows);
    expect(splitChangeEvents(Array.from({ length: 3 }, (_, i) => row(String(i), 300_000)))).toHaveLength(3);
  });

  it('says that a row is too large instead of carrying it', () => {
    expect(splitChangeEvents([row('big', 500_000)])).toEqual([
      [{ id: 'big', before: null, after: null, tooLarge: true }],
    ]);
  });
});

describe('textFrames', () => {
  it('give the text back whole and never cut a character', () => {
    const text = `${'a'.repeat(128 * 1024 - 1)}\u{1f600}${'b'.repeat(10)}`;
    const frames = [...textFrames(text)];
    expect(frames.join('')).toBe(text);
    expect(frames.every((frame) => frame.isWellFormed())).toBe(true);
    expect(frames).toHaveLength(2);
  });
});

describe('readCell', () => {
  const layout = layoutOf(
    'd',
    1,
    checkNewSchema({
      fields: [
        { name: 's', type: 'string', required: true },
        { name: 'o', type: 'string' },
        { name: 'i', type: 'integer' },
        { name: 'b', type: 'boolean' },
        { name: 'j', type: 'json' },
        { name: 'l', type: 'string[]' },
      ],
    }),
  );
  const read = (name: string, cell: string) => readCell(layout.byName.get(name)!, cell);

  it.each<[string, string, unknown]>([
    ['s', '', ''],
    ['o', '', undefined],
    ['i', '5', 5],
    ['i', 'x', 'x'],
    ['i', '', undefined],
    ['b', 'true', true],
    ['b', 'yes', 'yes'],
    ['j', '{"a":1}', { a: 1 }],
    ['j', '"plain"', 'plain'],
    ['j', ' 5 ', 5],
    ['l', '["a"]', ['a']],
    ['s', '5', '5'],
  ])('%s %j', (name, cell, expected) => {
    expect(read(name, cell)).toEqual(expected);
  });

  it.each([
    ['j', 'plain', /must be JSON; a string stands in quotes/],
    ['j', '{"a": 1', /must be JSON/],
    ['l', 'a, b', /must be a JSON list of strings/],
  ])('refuses what is no JSON: %s %j', (name, cell, message) => {
    expect(() => read(name, cell)).toThrow(message);
  });
});

describe('limitPageBytes', () => {
  const record = (size: number) => ({ text: 'x'.repeat(size) });

  it('cuts a page that is too large for one answer, and never to nothing', () => {
    expect(limitPageBytes(Array.from({ length: 10 }, () => record(1_000_000)))).toHaveLength(2);
    expect(limitPageBytes([record(9_000_000), record(1)])).toHaveLength(1);
    expect(limitPageBytes(Array.from({ length: 10 }, () => record(10)))).toHaveLength(10);
  });
});
