import { Payers } from './payers';

const rest = (): Promise<void> => new Promise(setImmediate);

describe('The payers of Spaces', () => {
  let payers: Payers;
  let answers: Record<string, string>;
  let lookups: string[];

  beforeEach(() => {
    lookups = [];
    answers = { one: 'payer', two: 'payer' };
    payers = new Payers();
    payers.askWith((spaceId) => {
      lookups.push(spaceId);
      const answer = answers[spaceId];
      return answer === undefined ? Promise.reject(new Error('away')) : Promise.resolve(answer);
    });
  });

  it('are the Spaces themselves until somebody has said otherwise, and nothing waits for that', async () => {
    expect(new Payers().of('one')).toBe('one');
    expect([payers.of('one'), payers.of('one')]).toEqual(['one', 'one']);
    await rest();
    expect([payers.of('one'), payers.of('one'), lookups]).toEqual(['payer', 'payer', ['one']]);
  });

  it('can be waited for, each asked once', async () => {
    await payers.know(['one', 'two', 'gone']);
    await payers.know(['one', 'two', 'gone']);
    expect([payers.of('one'), payers.of('two'), payers.of('gone')]).toEqual(['payer', 'payer', 'gone']);
    expect(lookups).toEqual(['one', 'two', 'gone']);
  });

  it('stay as they were known while a change is asked for', async () => {
    await payers.know(['one']);
    answers['one'] = 'another';
    payers.invalidate('one');
    expect(payers.of('one')).toBe('payer');
    await rest();
    expect(payers.of('one')).toBe('another');
    delete answers['one'];
    payers.refreshAll();
    payers.of('one');
    await rest();
    expect(payers.of('one')).toBe('another');
  });
});
