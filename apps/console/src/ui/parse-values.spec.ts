/// <reference types="jest" />
import { headersOf, textOfHeaders, textOfValue, valueOf } from './parse-values';

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
