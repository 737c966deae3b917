import { until, usePlatform } from '@switchyard/testing';
import { chat, makeAgent, paths } from './talking';

const platform = usePlatform();

describe('POST context/compact', () => {
  it('changes nothing when no model answers', async () => {
    const ann = await (await platform.newSpace()).member();
    const agentId = await makeAgent(ann);
    let sessionId = await chat(ann, agentId, 'First');
    sessionId = await chat(ann, agentId, 'Second', sessionId);
    const { status, compact } = paths(agentId, sessionId);
    const before = (await ann.post(status)).body.data;
    const simulator = platform.service('simulator');
    await simulator.stop();
    try {
      expect(await ann.post(compact)).toMatchObject({ status: 503, body: { code: 'COMPACTION_UNAVAILABLE' } });
    } finally {
      await simulator.start();
    }
    expect((await ann.post(status)).body.data).toEqual(before);
    await until(async () => (await ann.post(compact)).body.data?.compacted === true, {
      timeoutMs: 40_000,
      everyMs: 500,
    });
  });
});
