import { deprecationHeaders, versionWarning } from './deprecation-headers';

describe('the headers of a deprecated operation', () => {
  it('say since when, and until when at least it works', () => {
    const deprecated = { since: '2027-01-31', sunset: '2028-02-01', instead: 'Use another one.' };
    expect(deprecationHeaders(deprecated)).toEqual({
      deprecation: '@1801353600',
      sunset: 'Tue, 01 Feb 2028 00:00:00 GMT',
    });
  });
});

describe('a path with a version', () => {
  it.each(['/api/agents', '/v1/api/agents', '/api/v1/agents', '/models/v1/models', '/vx/api', '/api/views'])(
    'is answered without a warning: %s',
    (path) => {
      expect(versionWarning(path)).toBeNull();
    },
  );

  it.each([
    ['/v2/api/agents', '2'],
    ['/api/v3/agents', '3'],
    ['/v12', '12'],
  ])('of another version is answered with a warning: %s', (path, named) => {
    expect(versionWarning(path)).toBe(`The API has no version ${named}: version 1.0.0 answered.`);
  });
});
