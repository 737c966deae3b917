import { chooseContentEncoding } from './choose-content-encoding';

const both = ['gzip', 'br'] as const;

it.each([
  ['gzip, deflate, br, zstd', both, 'br'],
  ['gzip', both, 'gzip'],
  ['BR;q=1.0, gzip;q=0.8', both, 'br'],
  ['br;q=0, gzip', both, 'gzip'],
  ['gzip, br', ['gzip'] as const, 'gzip'],
  ['br', ['gzip'] as const, null],
  ['gzip, br', [], null],
  ['', both, null],
  ['identity', both, null],
  [undefined, both, null],
])('for %j of %j it is %j', (accepted, offered, packing) => {
  expect(chooseContentEncoding(accepted, offered)).toBe(packing);
});
