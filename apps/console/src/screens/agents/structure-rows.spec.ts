/// <reference types="jest" />
import { objectOf } from '../../ui/parse-values';
import { isUnfinished, rowsIn, withField } from './structure-rows';

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
