import { type OriginRequest, isOfConsole } from './console-origin';

const own: OriginRequest = {
  origin: 'http://127.0.0.1:3000',
  mark: '1',
  protocol: 'http',
  host: '127.0.0.1:3000',
  publicUrl: undefined,
};

describe('a request for the session of the console', () => {
  it.each<[string, Partial<OriginRequest>]>([
    ['its own page', {}],
    ['a page over HTTPS behind a proxy', { origin: 'https://a.example', host: 'a.example' }],
    ['a Host that names the usual port', { origin: 'https://a.example', host: 'a.example:443', protocol: 'https' }],
    ['the public address', { origin: 'https://a.example', host: 'inner:3000', publicUrl: 'https://a.example/' }],
  ])('is taken from %s', (_, request) => {
    expect(isOfConsole({ ...own, ...request })).toBe(true);
  });

  it.each<[string, Partial<OriginRequest>]>([
    ['no origin', { origin: undefined }],
    ['the origin of a file or a sandbox', { origin: 'null' }],
    ['another host', { origin: 'http://evil.example' }],
    ['another port', { origin: 'http://127.0.0.1:3001' }],
    ['another name of this machine', { origin: 'http://localhost:3000' }],
    ['a page over plain HTTP of a platform under HTTPS', { protocol: 'https' }],
    ['an extension', { origin: 'chrome-extension://127.0.0.1:3000' }],
    ['an origin with a path', { origin: 'http://127.0.0.1:3000/' }],
    ['a host that only begins alike', { origin: 'http://127.0.0.1:3000.evil.example' }],
    ['no mark', { mark: undefined }],
    ['another mark', { mark: '0' }],
    ['two marks', { mark: ['1', '1'] }],
  ])('is refused with %s', (_, request) => {
    expect(isOfConsole({ ...own, ...request })).toBe(false);
  });
});
