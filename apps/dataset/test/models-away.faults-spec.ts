import { until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

describe('while the models are away', () => {
  it('texts are written, and found once the models are back', async () => {
    const { owner } = await platform.newSpace();
    const fields = [{ name: 'text', type: 'text', vector: true }];
    const created = await owner.post('/datasets', { name: 'Meanings', schema: { fields } });
    const data = `/datasets/${created.body.data.id}/data`;
    const text = 'written in the dark';
    const simulator = platform.service('simulator');
    await simulator.stop();
    try {
      expect((await owner.post(`${data}/insert`, { records: [{ text }] })).status).toBe(200);
      expect((await owner.post(`${data}/search`, { query: `${text}, a question` })).status).toBe(503);
    } finally {
      await simulator.start();
    }
    await until(async () => {
      const reply = await owner.post(`${data}/search`, { query: text });
      return reply.status === 200 && reply.body.data[0]?.record.text === text;
    });
  });
});
