import { randomBytes } from 'node:crypto';
import { makeKeyValue } from '@switchyard/contracts';
import { credentialOf, readCredential } from './credential';

const key = makeKeyValue(randomBytes);
const jwt = 'aaaa.bbbb.cccc';

describe('the Authorization header', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'ApiKey', 'APIKEY', 'API-Key', 'api-key', 'Token', 'tOkEn'])(
    'takes %s before a key and before a token',
    (scheme) => {
      expect(readCredential(`${scheme} ${key}`)).toEqual({ kind: 'key', value: key });
      expect(readCredential(`${scheme} ${jwt}`)).toEqual({ kind: 'jwt', value: jwt });
    },
  );

  it.each([
    ['nothing', undefined],
    ['no scheme', key],
    ['another scheme', `Basic ${key}`],
    ['no value', 'Bearer '],
    ['two spaces', `Bearer  ${key}`],
    ['a tab', `Bearer\t${key}`],
    ['something after the value', `Bearer ${key} x`],
    ['a space after the value', `Bearer ${key} `],
    ['a space before the scheme', ` Bearer ${key}`],
    ['39 characters', `Bearer ${key.slice(1)}`],
    ['41 characters', `Bearer ${key}a`],
    ['a key with a wrong checksum', `Bearer ${'a'.repeat(40)}`],
    ['two parts', 'Bearer aaaa.bbbb'],
    ['four parts', 'Bearer aaaa.bbbb.cccc.dddd'],
    ['an empty signature', 'Bearer aaaa.bbbb.'],
    ['signs of plain base64', 'Bearer aa+/.bbbb.cc=='],
    ['two credentials', `Bearer ${key}, Bearer ${key}`],
    ['a token of 10 KB', `Bearer aaaa.${'b'.repeat(10_000)}.cccc`],
  ])('is no credential with %s', (_, header) => {
    expect(readCredential(header)).toBeNull();
  });
});

describe('the header of LangGraph’s clients', () => {
  const headers = { 'x-api-key': key };

  it('is a credential under their path alone', () => {
    expect(credentialOf({ url: '/langgraph/threads', headers })).toEqual({ kind: 'key', value: key });
    for (const url of ['/api/agents', '/langgraph', '/langgraphs/', '/openai/v1/models?x=/langgraph/'])
      expect(credentialOf({ url, headers })).toBeNull();
  });

  it('stands behind the one that everybody has', () => {
    expect(credentialOf({ url: '/langgraph/threads', headers: { ...headers, authorization: 'Bearer x' } })).toBeNull();
  });
});
