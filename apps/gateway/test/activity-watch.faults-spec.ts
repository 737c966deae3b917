import { until, usePlatform } from '@switchyard/testing';

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

describe('an open stream of activity that may have missed changes', () => {
  it('ends with the next renewal of its watch', async () => {
    const space = await platform.newSpace();
    const stream = await space.owner.stream('/activity/stream');
    expect(stream.status).toBe(200);
    // As after a time in which the service could not renew it.
    await platform.database.query('delete from session.activity_watches where space_id = $1', [space.id]);
    expect(await stream.all()).toEqual([]);
  }, 120_000);

  it('ends when NATS is gone, as signals are lost meanwhile', async () => {
    const space = await platform.newSpace();
    const stream = await space.owner.stream('/activity/stream');
    expect(stream.status).toBe(200);
    const nats = platform.server('nats');
    await nats.crash();
    expect(await stream.all()).toEqual([]);
    for (const name of ['gateway', 'session']) await platform.service(name).ready();
    await until(async () => {
      const again = await space.owner.stream('/activity/stream');
      if (again.status === 200) await again.frames.return(undefined);
      return again.status === 200;
    });
  }, 120_000);
});
