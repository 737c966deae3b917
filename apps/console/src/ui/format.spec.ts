import { duration, shortId, size } from './format';

test.each([
  [420, '420 ms'],
  [999.6, '1.0 s'],
  [59_940, '59.9 s'],
  [59_990, '1 min'],
  [119_600, '2 min'],
  [3_599_700, '1 h 0 min'],
])('%d ms read as a clock would say them', (ms, words) => {
  expect(duration(ms)).toBe(words);
});

test('ids of one minute are told apart by their short form', () => {
  const [one, other] = ['019aa0c5-1d2e-7b11-8a4f-3c5d7e9f0a1b', '019aa0c5-1d2e-7b11-8a4f-aaaabbbbcccc'];
  expect(shortId(one)).not.toBe(shortId(other));
});

test('sizes are in units that people know', () => {
  expect([size(16_384), size(1_048_576)]).toEqual(['16 kB', '1 MB']);
});
