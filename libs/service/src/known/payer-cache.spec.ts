import { PayerCache } from './payer-cache';

const rest = (): Promise<void> => new Promise(setImmediate);

describe('The payers of Spaces', () => {
  let payerCache: PayerCache;
  let answers: Record<string, string>;
  let lookups: string[];

  beforeEach(() => {
    lookups = [];
    answers = { one: 'payer', two: 'payer' };
    payerCache = new PayerCache();
    payerCache.askWith((spaceId) => {
      lookups.push(spaceId);
      const answer = answers[spaceId];
      return answer === undefined ? Promise.reject(new Error('away')) : Promise.resolve(answer);
    });
  });

  it('are the Spaces themselves until somebody has said otherwise, and nothing waits for that', async () => {
    expect(new PayerCache().of('one')).toBe('one');
    expect([payerCache.of('one'), payerCache.of('one')]).toEqual(['one', 'one']);
    await rest();
    expect([payerCache.of('one'), payerCache.of('one'), lookups]).toEqual(['payer', 'payer', ['one']]);
  });

  it('can be waited for, each asked once', async () => {
    await payerCache.know(['one', 'two', 'gone']);
    await payerCache.know(['one', 'two', 'gone']);
    expect([payerCache.of('one'), payerCache.of('two'), payerCache.of('gone')]).toEqual(['payer', 'payer', 'gone']);
    expect(lookups).toEqual(['one', 'two', 'gone']);
  });

  it('stay as they were known while a change is asked for', async () => {
    await payerCache.know(['one']);
    answers['one'] = 'another';
    payerCache.invalidate('one');
    expect(payerCache.of('one')).toBe('payer');
    await rest();
    expect(payerCache.of('one')).toBe('another');
    delete answers['one'];
    payerCache.refreshAll();
    payerCache.of('one');
    await rest();
    expect(payerCache.of('one')).toBe('another');
  });
});
