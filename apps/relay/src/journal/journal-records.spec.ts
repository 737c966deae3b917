import { encodeRecord, parseSegment } from './journal-records';

const segment = (...lines: string[]): Buffer => Buffer.concat([Buffer.from(lines.join('')), Buffer.alloc(64)]);
const first = (...entries: string[]): string[] => entries.map((entry) => encodeRecord(1, entry));

describe('a segment of the journal', () => {
  it('has its entries in their order, and nothing while it is empty', () => {
    expect(parseSegment(segment(...first('{"a":1}', '{"b":"ü\\n"}')))).toEqual({
      entries: ['{"a":1}', '{"b":"ü\\n"}'],
      damaged: [],
    });
    expect(parseSegment(segment())).toEqual({ entries: [], damaged: [] });
  });

  it.each([1, 10, 20])('drops an incomplete last line (%i bytes are missing)', (missing) => {
    const bytes = Buffer.from(first('{"a":1}', '{"b":222222}').join(''));
    expect(parseSegment(Buffer.concat([bytes.subarray(0, -missing), Buffer.alloc(64)]))).toEqual({
      entries: ['{"a":1}'],
      damaged: [],
    });
  });

  it('tells a damaged line before others', () => {
    const [a = '', b = '', c = ''] = first('{"a":1}', '{"b":2}', '{"c":3}');
    const damaged = b.replace('2', '3');
    expect(parseSegment(segment(a, damaged, c))).toEqual({
      entries: ['{"a":1}', '{"c":3}'],
      damaged: [damaged.trimEnd()],
    });
  });

  it('ignores what is left of entries that were written over', () => {
    const old = Buffer.from(first('{"old":11111111}', '{"old":2}', '{"old":3}').join(''));
    Buffer.from(encodeRecord(2, '{"new":1}')).copy(old);
    expect(parseSegment(old)).toEqual({ entries: ['{"new":1}'], damaged: [] });
  });

  it('takes the incomplete beginning of a generation for no damage', () => {
    const old = Buffer.from(first('{"old":11111111}', '{"old":2}').join(''));
    Buffer.from(encodeRecord(2, '{"new":22222222}')).subarray(0, 20).copy(old);
    expect(parseSegment(old)).toEqual({ entries: ['{"old":2}'], damaged: [] });
  });

  it('takes a whole line of a lower generation for no damage: a write that was not acknowledged may be there in part', () => {
    const text = first('{"a":1}', '{"b":2}').join('') + encodeRecord(2, '{"c":3}');
    expect(parseSegment(Buffer.from(text))).toEqual({ entries: ['{"c":3}'], damaged: [] });
  });

  it('reads an entry with separators of lines that are none in a file', () => {
    const entry = JSON.stringify({ model: 'a\u2028b\u2029c' });
    expect(parseSegment(segment(...first(entry, '{"b":2}')))).toEqual({ entries: [entry, '{"b":2}'], damaged: [] });
  });

  it('reads a segment of many lines', () => {
    const lines = Array.from({ length: 200_000 }, (_, n) => encodeRecord(1, String(n)));
    expect(parseSegment(Buffer.from(lines.join(''))).entries).toHaveLength(200_000);
  });
});
