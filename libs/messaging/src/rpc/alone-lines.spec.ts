import { AloneLines } from './alone-lines';

describe('requests that are asked again alone', () => {
  it('go one after the other within a Space, and wait for no other Space', async () => {
    const lines = new AloneLines();
    const order: string[] = [];
    const leave = await lines.enter('a');
    const second = lines.enter('a').then(() => order.push('a'));
    await lines.enter('b');
    order.push('b');
    leave();
    await second;
    expect(order).toEqual(['b', 'a']);
  });

  it('are told to come again later where too many of their Space wait, and not for ever', async () => {
    const lines = new AloneLines();
    const leave = await lines.enter('a');
    const waiting = Array.from({ length: 19 }, () => lines.enter('a'));
    await expect(lines.enter('a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
    await lines.enter('b');
    leave();
    for (const turn of waiting) (await turn)();
    (await lines.enter('a'))();
  });

  it('end their turn once, however often they say so', async () => {
    const lines = new AloneLines();
    const leave = await lines.enter('a');
    const second = lines.enter('a');
    leave();
    leave();
    let isThird = false;
    const third = lines.enter('a').then((end) => {
      isThird = true;
      return end;
    });
    const end = await second;
    expect(isThird).toBe(false);
    end();
    (await third)();
  });
});
