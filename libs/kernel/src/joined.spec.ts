import { joined } from './joined';

describe('two objects in one', () => {
  it('has the properties of both, those of the second first of all', () => {
    const one = { a: 1, b: 2 };
    expect(joined(one, { b: 3, c: undefined })).toStrictEqual({ a: 1, b: 3, c: undefined });
    expect(one).toEqual({ a: 1, b: 2 });
  });

  it('is the second where there is no first', () => {
    expect(joined(undefined, { b: 3 })).toEqual({ b: 3 });
  });
});
