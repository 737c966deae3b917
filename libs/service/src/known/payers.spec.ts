import { Payers } from './payers';

const rest = (): Promise<void> => new Promise(setImmediate);

describe('The payers of Spaces', () => {
  let payers: Payers;
  let answers: Record<string, string>;
  let asked: string[];

  beforeEach(() => {
    asked = [];
    answers = { one: 'payer', two: 'payer' };
    payers = new Payers();
    payers.askWith((spaceId) => {
      asked.push(spaceId);
      const answer = answers[spaceId];
      return answer === undefined ? Promise.reject(new Error('away')) : Promise.resolve(answer);
    });
  });

  it('are the Spaces themselves until somebody has said otherwise, and nothing waits for that', async () => {
    expect(new Payers().of('one')).toBe('one');
    expect([payers.of('one'), payers.of('one')]).toEqual(['one', 'one']);
    await rest();
    expect([payers.of('one'), payers.of('one'), asked]).toEqual(['payer', 'payer', ['one']]);
  });

  it('can be waited for, each asked once', async () => {
    await payers.know(['one', 'two', 'gone']);
    await payers.know(['one', 'two', 'gone']);
    expect([payers.of('one'), payers.of('two'), payers.of('gone')]).toEqual(['payer', 'payer', 'gone']);
    expect(asked).toEqual(['one', 'two', 'gone']);
  });

  it('stay as they were known while a change is asked for', async () => {
    await payers.know(['one']);
    answers['one'] = 'another';
    payers.forget('one');
    expect(payers.of('one')).toBe('payer');
    await rest();
    expect(payers.of('one')).toBe('another');
    delete answers['one'];
    payers.doubtAll();
    payers.of('one');
    await rest();
    expect(payers.of('one')).toBe('another');
  });
});
