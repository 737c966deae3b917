import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { firstLoadOf } from './first-load';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'switchyard-first-load-'));
  mkdirSync(path.join(folder, 'assets'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: string | Buffer): void => writeFileSync(path.join(folder, name), content);

test('scripts, what they need at once, and styles are counted as they travel', () => {
  file(
    'index.html',
    [
      '<link rel="icon" href="data:image/svg+xml,%3Csvg" />',
      '<script type="module" crossorigin src="/console/assets/index-a1.js" nonce="x"></script>',
      '<link rel="modulepreload" crossorigin href="/console/assets/react-b2.js" nonce="x">',
      '<link rel="stylesheet" crossorigin href="/console/assets/index-c3.css" nonce="x">',
    ].join('\n'),
  );
  file('assets/index-a1.js', randomBytes(10_000));
  file('assets/react-b2.js', randomBytes(20_000));
  file('assets/index-c3.css', 'a { color: red }\n'.repeat(10_000));
  file('assets/later-d4.js', randomBytes(50_000));
  const bytes = firstLoadOf(folder);
  expect(bytes).toBeGreaterThan(30_000);
  expect(bytes).toBeLessThan(32_000);
});

test('a page that names nothing is not taken for a small one', () => {
  file('index.html', '<div id="root"></div>');
  expect(() => firstLoadOf(folder)).toThrow('names no script');
});
