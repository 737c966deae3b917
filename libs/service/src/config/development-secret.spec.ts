import { randomBytes } from 'node:crypto';
import { isDevelopmentSecret } from './development-secret';

test.each([
  'changeme',
  'change-me-123',
  'development-secret',
  'A'.repeat(43),
  '00000000000000000000000000000000000000000000',
  '0123456789abcdefghijklmnopqrstuvwxyz',
  'postgres://switchyard_key:postgres@db/switchyard',
  'postgres://switchyard_key:change%20me@db/switchyard',
  '2:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=,1:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB=',
])('%s is known to everybody', (secret) => {
  expect(isDevelopmentSecret(secret)).toBe(true);
});

test('random keys are not, however they are written', () => {
  for (let round = 0; round < 2000; round += 1) {
    const bytes = randomBytes(32);
    for (const text of [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')])
      expect([text, isDevelopmentSecret(text)]).toEqual([text, false]);
    expect(isDevelopmentSecret(`1:${bytes.toString('base64')}`)).toBe(false);
    expect(isDevelopmentSecret(`postgres://key:${bytes.toString('base64url')}@db/switchyard`)).toBe(false);
  }
});

test('an address without a password says nothing', () => {
  expect(isDevelopmentSecret('postgres://key@/switchyard?host=/run/postgresql')).toBe(false);
});
