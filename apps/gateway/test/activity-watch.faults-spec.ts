import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();

describe('a stream of activity that opens while a service is silent', () => {
  it('ends once the service answers, so that its reader reads the list again', async () => {
    const space = await platform.newSpace();
    const session = platform.service('session');
    session.pause();
    let stream;
    try {
      stream = await space.owner.stream('/activity/stream');
    } finally {
      session.resume();
    }
    expect(stream.status).toBe(200);
    // Without its end the reader would never hear of a turn that changed before the service knew of it.
    expect(await stream.all()).toEqual([]);
    const again = await space.owner.stream('/activity/stream');
    expect(again.status).toBe(200);
    await again.frames.return(undefined);
  }, 120_000);
});
