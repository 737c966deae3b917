import { readField } from './parse-field-value';

const LONG = 'x'.repeat(2800);
/** 2,001 bytes in 667 characters. */
const WIDE = '京'.repeat(667);

describe('readField', () => {
  it.each([LONG, WIDE])('refuses a string too long for the index of its list', (text) => {
    const field = { name: 'tags', type: 'string[]', indexed: true } as const;
    expect(readField(field, ['a', text])).toEqual({
      problem: 'must not hold a string longer than 2000 bytes, because the field is indexed',
    });
    expect(readField(field, ['a', text.slice(0, 666)])).toHaveProperty('value');
    expect(readField({ ...field, indexed: false }, [text])).toEqual({ value: [text] });
  });

  it.each(['indexed', 'unique'])('refuses a text too long for its index (%s)', (flag) => {
    const field = { name: 'title', type: 'string', [flag]: true } as const;
    const problem = 'must not be longer than 2000 bytes, because the field is indexed';
    expect([readField(field, LONG), readField(field, WIDE)]).toEqual([{ problem }, { problem }]);
    expect(readField({ name: 'title', type: 'string' }, LONG)).toEqual({ value: LONG });
  });
});
