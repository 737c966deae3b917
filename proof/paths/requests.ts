import type { Reply, TestPlatform } from '@switchyard/testing';

const dataOf = (reply: Reply, status: number): Record<string, string> => {
  if (reply.status !== status) throw new Error(`${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}`);
  return (reply.body as { data: Record<string, string> }).data;
};

/** One request of each kind, as an application sends it. */
export async function prepareRequests(platform: TestPlatform): Promise<Record<string, () => Promise<void>>> {
  const space = await platform.newSpace();
  const { owner } = space;
  const draft = { name: 'Clerk', model: 'sim-chat', systemPrompt: 'You work.' };
  const agent = dataOf(await owner.post('/agents', draft), 201)['id'];
  const fields = [{ name: 'price', type: 'integer', indexed: true }];
  const dataset = dataOf(await owner.post('/datasets', { name: 'Stock', schema: { fields } }), 201)['id'];
  const records = Array.from({ length: 100 }, (_, price) => ({ price }));
  dataOf(await owner.post(`/datasets/${dataset}/data/insert`, { records }), 200);
  const manifest = { identifier: 'paths', name: 'Paths', version: '1.0.0', events: [{ name: 'tick', schema: {} }] };
  const app = owner.as(`Bearer ${dataOf(await owner.post('/applications', { manifest }), 201)['systemApiKey']}`);
  const key = await space.key();
  return {
    'chat turn': async () => {
      const contents = [{ type: 'text', text: 'Good morning' }];
      const response = await fetch(`${platform.url}/api/agents/${agent}/chat`, {
        method: 'POST',
        headers: {
          authorization: key.authorization ?? '',
          'content-type': 'application/json',
          'x-service-stream-protocol': 'stream-v3',
        },
        body: JSON.stringify({ contents }),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${response.status} ${text.slice(0, 300)}`);
    },
    emission: async () => {
      dataOf(await app.post('/events/emit', { appIdentifier: 'paths', event: 'tick', payload: { n: 1 } }), 202);
    },
    query: async () => {
      dataOf(await key.post(`/datasets/${dataset}/data/query`, { filter: { price: { gte: 10 } }, limit: 20 }), 200);
    },
    'check of a new key': async () => {
      const fresh = await space.key();
      dataOf(await fresh.get(`/datasets/${dataset}`), 200);
    },
  };
}
