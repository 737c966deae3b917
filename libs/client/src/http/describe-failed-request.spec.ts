import { inspect } from 'node:util';
import { SwitchyardClient } from '../client';
import { requestOf } from './describe-failed-request';

const clientOf = (answer: () => Promise<Response>): SwitchyardClient =>
  new SwitchyardClient({ baseUrl: 'http://host', credential: 'sk-secret', attempts: 1, fetch: answer });
const errorOfCall = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

describe('the request of an error', () => {
  it.each([
    ['a refusal', () => Promise.resolve(Response.json({ code: 'NO', message: 'No.' }, { status: 403 }))],
    ['no answer', () => Promise.reject(new TypeError('down'))],
  ])('is kept for %s, without the credential and out of what is logged', async (_, answer) => {
    const client = clientOf(answer);
    const created = await errorOfCall(client.secrets.create({ name: 'CRM', value: 'hush' }));
    const body = { name: 'CRM', value: 'hush' };
    expect(requestOf(created)).toEqual({ method: 'POST', path: '/api/secrets', body });
    expect(inspect(created, { depth: null })).not.toMatch(/hush|sk-secret/u);
    const listed = await errorOfCall(client.agents.list({ q: 'a b', limit: 5 }));
    expect(requestOf(listed)).toEqual({ method: 'GET', path: '/api/agents?q=a+b&limit=5' });
  });

  it('is null for what no request was made for', () => {
    expect(requestOf(new Error('other'))).toBeNull();
    expect(requestOf(undefined)).toBeNull();
  });
});
