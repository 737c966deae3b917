import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { AGENT } from './talk';

const platform = usePlatform();
const long = (letter: string) => ({ pattern: `${letter}{1000}` });
const MUCH = { properties: { a: long('a'), b: long('b'), c: long('c'), link: { format: 'url' } } };
const TOO_MUCH = { properties: { city: { pattern: '(?:a{1000}){9}|.' } } };

describe('an agent whose schema was saved before there were limits', () => {
  let space: TestSpace;
  let owner: Client;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
  });

  /** As an older version of us has stored it; nothing has read it yet. */
  const stored = async (responseSchema: object): Promise<string> => {
    const { id } = (await owner.post('/agents', AGENT)).body.data;
    await platform.database.query(
      `update agent.agents set body = body || jsonb_build_object('responseSchema', $2::jsonb) where id = $1`,
      [id, JSON.stringify(responseSchema)],
    );
    return id as string;
  };

  it('goes on up to four times the limits, says which formats are not checked, and can be changed beside it', async () => {
    const id = await stored(MUCH);
    const { body } = await owner.get(`/agents/${id}`);
    expect(body.data.uncheckedFormats).toEqual(['/properties/link/format']);
    const executed = await owner.post(`/agents/${id}/execute`, { inputs: { query: '@@json {"link":"none"}' } });
    expect([executed.status, executed.body.output]).toEqual([200, expect.any(Object)]);
    expect((await owner.put(`/agents/${id}`, { name: 'Another' })).status).toBe(200);
    expect((await owner.put(`/agents/${id}`, { name: 'Once more', responseSchema: MUCH })).status).toBe(200);
    const changed = await owner.put(`/agents/${id}`, { responseSchema: { ...MUCH, title: 'new' } });
    expect([changed.status, changed.body.details]).toMatchObject([400, [{ path: 'responseSchema' }]]);
    const copied = await owner.post('/agents', { ...AGENT, responseSchema: MUCH });
    expect([copied.status, copied.body.details]).toMatchObject([400, [{ path: 'responseSchema' }]]);
  });

  it('is refused with the name of the field beyond them', async () => {
    const id = await stored(TOO_MUCH);
    const executed = await owner.post(`/agents/${id}/execute`, { inputs: { query: 'hi' } });
    expect([executed.status, executed.body]).toMatchObject([
      400,
      { code: 'VALIDATION_ERROR', details: [{ path: 'responseSchema' }] },
    ]);
    expect((await owner.get(`/agents/${id}`)).body.data).not.toHaveProperty('uncheckedFormats');
  });
});
