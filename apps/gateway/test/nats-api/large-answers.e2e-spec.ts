import { type TestSpace, usePlatform } from '@switchyard/testing';
import { ok } from './an-endpoint';
import { type NatsAccount, closeConnections, newAccount } from './nats-account';

const platform = usePlatform();
/** A record may be as large as a message, and an answer has more than the record. */
const LARGE = 'x'.repeat(1_047_000);

let space: TestSpace;
let account: NatsAccount;
let datasetId: string;

beforeAll(async () => {
  space = await platform.newSpace();
  ({ account } = await newAccount(platform, space));
  const fields = [{ name: 'text', type: 'string' }];
  datasetId = ok(await space.owner.post('/datasets', { name: 'Large', schema: { fields } }), 201).id as string;
});

afterAll(closeConnections);

describe('an answer that is larger than a message', () => {
  it('of a read is refused, and can be read over HTTP', async () => {
    ok(await space.owner.post(`/datasets/${datasetId}/data/insert`, { records: [{ text: LARGE }] }), 200);
    const answer = await account.request(`datasets.${datasetId}.query`, {});
    expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
    expect(answer.headers).toMatchObject({
      'Nats-Service-Error-Code': '413',
      'Nats-Service-Error': 'PAYLOAD_TOO_LARGE',
    });
    expect((await space.owner.post(`/datasets/${datasetId}/data/query`, {})).status).toBe(200);
  });
});
