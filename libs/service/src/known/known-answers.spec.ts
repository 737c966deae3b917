import { KnownAnswers } from './known-answers';

describe('known answers', () => {
  let now = 0;
  let asked = 0;
  const known = (): KnownAnswers<number> => new KnownAnswers({ renewMs: 40, freshMs: 50, staleMs: 600 }, () => now);
  const ask = (): Promise<number> => Promise.resolve((asked += 1));
  const fail = (): Promise<number> => Promise.reject(new Error('away'));
  const rest = (): Promise<void> => new Promise(setImmediate);

  beforeEach(() => {
    now = 1_000;
    asked = 0;
  });

  it('are asked for once by all who want to know at a time, and then given at once', async () => {
    const answers = known();
    expect(await Promise.all([answers.of('a', ask), answers.of('a', ask), answers.of('b', ask)])).toEqual([1, 1, 2]);
    now += 39;
    expect([answers.of('a', ask), asked]).toEqual([1, 2]);
  });

  it('are renewed while they are still given, so that who asks often never waits', async () => {
    const answers = known();
    await answers.of('a', ask);
    now += 45;
    expect([answers.of('a', ask), answers.of('a', ask), asked]).toEqual([1, 1, 2]);
    await rest();
    now += 39;
    expect([answers.of('a', ask), asked]).toEqual([2, 2]);
  });

  it('are waited for when they are older, as old as their question', async () => {
    const answers = known();
    const late = answers.of('a', async () => {
      now += 45;
      return ask();
    });
    expect(await late).toBe(1);
    now += 5;
    expect(await answers.of('a', ask)).toBe(2);
  });

  it('are gone on with for a while when nobody answers, and not for ever', async () => {
    const answers = known();
    await expect(answers.of('a', fail)).rejects.toThrow('away');
    await answers.of('a', ask);
    now += 45;
    expect(answers.of('a', fail)).toBe(1);
    await rest();
    now += 500;
    expect(await answers.of('a', fail)).toBe(1);
    now += 60;
    await expect(answers.of('a', fail)).rejects.toThrow('away');
  });

  it('are asked for again when changes may have been missed, and used until an answer comes', async () => {
    const answers = known();
    await answers.of('a', ask);
    answers.doubtAll();
    now += 1;
    expect(await answers.of('a', fail)).toBe(1);
    expect(await answers.of('a', ask)).toBe(2);
    expect([answers.of('a', ask), asked]).toEqual([2, 2]);
  });

  it('tell who asks whether there is something to go on with', async () => {
    const heard: boolean[] = [];
    const answers = known();
    const listen = (isKnown: boolean): Promise<number> => {
      heard.push(isKnown);
      return ask();
    };
    await answers.of('a', listen);
    now += 60;
    await answers.of('a', listen);
    expect(heard).toEqual([false, true]);
  });

  it('are asked for again once they were said to be void, also where the question was on its way', async () => {
    const answers = known();
    const before = answers.of('a', ask);
    answers.forget('a');
    const after = answers.of('a', ask);
    expect([await before, await after]).toEqual([1, 2]);
    expect(answers.of('a', ask)).toBe(2);
    answers.forget('a');
    expect(await answers.of('a', ask)).toBe(3);
    // What is said of one says nothing of another.
    const other = answers.of('b', ask);
    answers.forget('a');
    await other;
    expect([answers.of('b', ask), asked]).toEqual([4, 4]);
  });
});
