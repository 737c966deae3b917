import { AppError } from '@switchyard/kernel';
import type { Logger } from '../logger';
import { ReachedLimitReports } from './reached-limit-reports';

const limitNamed = (limit: string) => ({ limit, value: 1, until: null });

function reportsWith(isWatched: boolean) {
  const sent: string[] = [];
  const waiting: (() => void)[] = [];
  const reports = new ReachedLimitReports({ debug: () => undefined } as unknown as Logger);
  reports.sendWith(async (spaceId, { limit }) => {
    sent.push(`${spaceId} ${limit}`);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return isWatched;
  });
  const answer = async (): Promise<void> => {
    for (const resolve of waiting.splice(0)) resolve();
    await new Promise(setImmediate);
  };
  return { reports, sent, answer };
}

describe('reports of reached limits', () => {
  it('are one for each limit of a Space, however often it refuses', async () => {
    const { reports, sent, answer } = reportsWith(true);
    for (let n = 0; n < 3; n += 1) reports.report('a', limitNamed('records'));
    await answer();
    for (const spaceId of ['a', 'b']) reports.report(spaceId, limitNamed('records'));
    expect(sent).toEqual(['a records', 'b records']);
  });

  it('are made of errors that a limit is the cause of, in a Space', () => {
    const { reports, sent } = reportsWith(true);
    const error = new AppError('CONFLICT', 'Full.', { limit: limitNamed('records') });
    reports.reportRefusal('a', error);
    reports.reportRefusal(null, error);
    for (const other of [new AppError('CONFLICT', 'Taken.'), new Error('broken'), undefined])
      reports.reportRefusal('b', other);
    expect(sent).toEqual(['a records']);
  });

  it('are at most ten in flight of a Space, and the next ones come later', async () => {
    const { reports, sent, answer } = reportsWith(true);
    for (let n = 0; n < 100; n += 1) reports.report('a', limitNamed(`keys/${n}/requestsPerMinute`));
    reports.report('b', limitNamed('records'));
    expect(sent).toHaveLength(11);
    await answer();
    reports.report('a', limitNamed('keys/99/requestsPerMinute'));
    expect(sent).toHaveLength(12);
  });

  it('stop for a while in a Space where no subscription wants them', async () => {
    const { reports, sent, answer } = reportsWith(false);
    reports.report('a', limitNamed('records'));
    await answer();
    reports.report('a', limitNamed('bytes'));
    expect(sent).toEqual(['a records']);
  });
});
