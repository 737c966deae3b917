import { mergeFast } from './merge-fast';

describe('two objects in one', () => {
  it('has the properties of both, those of the second first of all', () => {
    const one = { a: 1, b: 2 };
    expect(mergeFast(one, { b: 3, c: undefined })).toStrictEqual({ a: 1, b: 3, c: undefined });
    expect(one).toEqual({ a: 1, b: 2 });
  });

  it('is the second where there is no first', () => {
    expect(mergeFast(undefined, { b: 3 })).toEqual({ b: 3 });
  });
});
