import { checkMcpCaller } from './mcp-origin-check';

const config = {
  ALLOWED_HOSTS: ['tools.example'],
  CORS_ORIGINS: ['https://pages.example'],
  PUBLIC_URL: 'https://api.example/',
};

const come = (host: string | undefined, origin?: string): void => {
  checkMcpCaller({ headers: { host, origin } }, config);
};

const FORBIDDEN = expect.objectContaining({ code: 'FORBIDDEN' }) as Error;

describe('the origin check of /mcp', () => {
  test.each(['localhost', 'LocalHost:3000', '127.0.0.1:80', '[::1]:3000', '[::1]', 'tools.example', 'api.example:443'])(
    'opens to the host %s',
    (host) => {
      expect(() => {
        come(host);
      }).not.toThrow();
    },
  );

  test.each([
    undefined,
    '',
    ' ',
    'evil.example',
    'user@localhost',
    'a:b@localhost:3000',
    '@localhost',
    'localhost@evil.example',
    'localhost/x',
    'localhost/',
    'localhost?x',
    'localhost#x',
    'localhost\\x',
    'localhost:99999',
    'localhost:x',
    'localhost:-1',
    '%6cocalhost',
    'localhost%00',
    'local\thost',
    'local host',
    'localhost, evil.example',
    'http://localhost',
    '[::1',
    '::1',
    '[::1]x',
    '[::g]',
    'l\u00f6calhost',
    '\u00b9localhost',
    '...',
    '-',
  ])('stays shut for the host %p', (host) => {
    expect(() => {
      come(host);
    }).toThrow(FORBIDDEN);
  });

  test.each(['http://localhost:8080', 'https://127.0.0.1', 'https://pages.example', 'https://api.example'])(
    'opens to pages of %s',
    (origin) => {
      expect(() => {
        come('localhost', origin);
      }).not.toThrow();
    },
  );

  test.each([
    '',
    'null',
    'localhost',
    'file://',
    'ftp://localhost',
    'https://evil.example',
    'https://user@localhost',
    'https://localhost/x',
    'https://localhost@evil.example',
    'https://http://localhost',
    'https://',
    'http://[::',
    'http://localhost, http://evil.example',
    'http://l\u00f6calhost',
  ])('stays shut for pages of %p', (origin) => {
    expect(() => {
      come('localhost', origin);
    }).toThrow(FORBIDDEN);
  });
});
