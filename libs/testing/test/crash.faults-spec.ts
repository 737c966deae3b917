import { until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

describe('the supervisor', () => {
  it('starts a killed service again', async () => {
    const space = await platform.newSpace();
    const key = platform.service('key');
    const before = key.pid;
    await key.crash();
    expect(key.pid).not.toBe(before);
    await until(async () => (await space.owner.get('/spaces')).status === 200);
  });
});
