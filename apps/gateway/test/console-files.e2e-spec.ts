import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { usePlatform } from '@switchyard/testing';
import { request } from 'undici';

const platform = usePlatform();

const page = (path = '/console') => platform.anonymous.raw('GET', path);
const htmlOf = async (path?: string): Promise<string> => String((await page(path)).body);
const assetsOf = (html: string): string[] =>
  [...html.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, path = '']) => path);

describe('the page of the console', () => {
  it('is never kept, and runs nothing but its own scripts and styles', async () => {
    const { status, headers } = await page();
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['cache-control']).toBe('no-store');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self' 'nonce-[\w+/]{24}'; style-src 'self' 'nonce-[\w+/]{24}';/,
    );
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(policy).not.toMatch(/unsafe|\*|http:|https:/);
  });

  it('has no hold of windows of others, and asks for no device', async () => {
    for (const path of ['/console', '/console/agents', '/console/']) {
      const { headers } = await page(path);
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
      expect(headers['permissions-policy']).toMatch(/camera=\(\).*geolocation=\(\).*microphone=\(\)/);
    }
  });

  it('has a nonce of its own in each answer, at each of its places', async () => {
    const [one, other] = await Promise.all([page(), page()]);
    const nonces = [one, other].map(({ headers, body }) => {
      const [, nonce = ''] = /'nonce-([^']+)'/.exec(headers['content-security-policy'] ?? '') ?? [];
      expect(String(body)).toContain(`nonce="${nonce}"`);
      expect(String(body)).not.toContain('__NONCE__');
      return nonce;
    });
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it.each([
    '/console/',
    '/console/docs/operate/runbooks',
    '/console/chat',
    '/console/agents/0199/versions',
    '/console/causes/turn/1',
  ])('is what %s answers: the place is within it', async (path) => {
    const { status, headers } = await page(path);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(headers['content-type']).toMatch(/^text\/html/);
  });
});

describe('a file of the console', () => {
  it('has its hash in its name, and is kept for ever', async () => {
    const [script = ''] = assetsOf(await htmlOf());
    expect(script).toMatch(/^\/console\/assets\/[\w.-]+-[\w-]{8}\.(?:js|css)$/);
    const { status, headers } = await page(script);
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('goes out as %s where that is taken, and is the same', async (packing, unpack) => {
    const script = assetsOf(await htmlOf()).find((path) => path.endsWith('.js')) ?? '';
    const plain = await request(`${platform.url}${script}`);
    const packed = await request(`${platform.url}${script}`, { headers: { 'accept-encoding': packing } });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect([packed.headers['content-encoding'], packed.headers.vary]).toEqual([packing, 'Accept-Encoding']);
    const bytes = Buffer.from(await packed.body.arrayBuffer());
    const content = Buffer.from(await plain.body.arrayBuffer());
    expect(bytes.length).toBeLessThan(content.length / 2);
    expect(unpack(bytes).equals(content)).toBe(true);
  });

  it.each([
    '/console/assets/none-00000000.js',
    '/console/assets/../index.html',
    '/console/assets/..%2f..%2fapps/gateway/src/main.js',
    '/console/assets/',
  ])('is not found at %s', async (path) => {
    const { statusCode, body } = await request(`${platform.url}${path}`);
    const text = await body.text();
    // The way that leads out of the folder is resolved by clients before it is sent, or refused at the door.
    expect(path.includes('/../') ? [200] : [400, 404]).toContain(statusCode);
    expect(text).not.toContain('NestFactory');
  });
});

it('loads at most 230 kB for its first page, as it travels', async () => {
  const assets = assetsOf(await htmlOf());
  const sizes = await Promise.all(
    assets.map(async (path) => {
      const { body } = await request(`${platform.url}${path}`, { headers: { 'accept-encoding': 'gzip' } });
      return (await body.arrayBuffer()).byteLength;
    }),
  );
  expect(assets.length).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(230_000);
});
