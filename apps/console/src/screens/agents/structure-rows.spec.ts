/// <reference types="jest" />
import {
  headersOf,
  isUnfinished,
  objectOf,
  rowsIn,
  textOfHeaders,
  textOfValue,
  valueOf,
  withField,
} from './structure-rows';

describe('the rows of a structure', () => {
  it.each(['', '{}', '[1]', '[null]', '[[]]', 'null'])('are none where the text is no list of objects: %s', (text) => {
    expect(rowsIn(text)).toBeNull();
  });

  it('keep what the form has no field for', () => {
    expect(withField({ tool: 'a', more: 1 }, 'by', 'ADMIN')).toEqual({ tool: 'a', more: 1, by: 'ADMIN' });
  });

  it('leave out what is emptied, but for the names that the API asks for', () => {
    expect(withField({ tool: 'a', when: { x: 1 } }, 'when', undefined)).toEqual({ tool: 'a' });
    expect(withField({ tool: 'a' }, 'tool', '')).toEqual({ tool: '' });
    expect(withField({ name: 'a', required: true }, 'required', false)).toEqual({ name: 'a' });
  });

  it('hold JSON that is not finished as text, which is said', () => {
    expect(objectOf('{"a": 1}')).toEqual({ a: 1 });
    expect(objectOf('{"a": ')).toBe('{"a": ');
    expect(isUnfinished('approvals', { tool: 'x', when: '{"a": ' })).toBe(true);
    expect(isUnfinished('approvals', { tool: 'x', when: { a: 1 } })).toBe(false);
  });
});

describe('a default value', () => {
  it.each([['brief'], ['5'], [5], [true], [null], [['a']], ['{'], ['null']])('is read back as it was: %j', (value) => {
    expect(valueOf(textOfValue(value))).toEqual(value);
  });
});

describe('headers', () => {
  it('are read back as they were, with colons in their values', () => {
    const headers = { authorization: 'Bearer {{ secrets.CRM }}', 'x-url': 'https://a.example' };
    expect(headersOf(textOfHeaders(headers))).toEqual(headers);
  });

  it('are left out where none is written: those that are stored stay', () => {
    expect(headersOf(' \n')).toBeUndefined();
  });
});
