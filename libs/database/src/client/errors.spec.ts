import { AppError } from '@switchyard/kernel';
import { isUnavailable, isReadOnly, translate } from './errors';

class Refused extends Error {
  constructor(
    readonly code: string,
    message = code,
  ) {
    super(message);
  }
}
const refused = (code: string, message?: string): Error => new Refused(code, message);

describe('refusals of Postgres', () => {
  it.each(['25006', '57P01', '57P03', '08006', 'ECONNREFUSED', 'EHOSTUNREACH'])(
    '%s means that another server may have to be asked, and that one may try again',
    (code) => {
      expect(isUnavailable(refused(code))).toBe(true);
      expect(translate(refused(code))).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
      expect(isUnavailable(translate(refused(code)))).toBe(true);
    },
  );

  it.each(['23505', '42P01', '55P03', '57014'])('%s comes from the right server', (code) => {
    expect(isUnavailable(refused(code))).toBe(false);
  });

  it('a broken protocol is no lost server: the same would be refused elsewhere', () => {
    expect(isUnavailable(refused('08P01'))).toBe(false);
    expect(translate(refused('08P01'))).not.toBeInstanceOf(AppError);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Client was closed and is not queryable',
    'Query runner already released. Cannot run queries anymore.',
  ])('%s: the line is gone, and one may try again', (message) => {
    expect(isUnavailable(new Error(message))).toBe(true);
    expect(translate(new Error(message))).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
  });

  it('name a statement timeout as such, and neither a cancelled statement nor a database that is away', () => {
    const translated = (why: string): unknown => translate(refused('57014', `canceling statement due to ${why}`));
    expect(translated('statement timeout')).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(/took too long.*Narrow it down/),
    });
    expect(translated('user request')).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('not available'),
    });
  });

  it('are looked into behind our own words', () => {
    expect(isReadOnly(new AppError('SERVICE_UNAVAILABLE', 'Away.', { cause: refused('25006') }))).toBe(true);
  });
});
