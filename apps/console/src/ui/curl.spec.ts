import { SwitchyardClient } from '@switchyard/client';
import { curl, curlOf } from './curl';

describe('a call as curl', () => {
  it('quotes what a shell would read', () => {
    expect(curl('POST', 'http://host/api/agents', { name: "it's $HOME" }, '$KEY')).toBe(
      [
        'curl -X POST http://host/api/agents',
        '-H "authorization: Bearer $KEY"',
        "-H 'content-type: application/json'",
        String.raw`-d '{"name":"it'\''s $HOME"}'`,
      ].join(' \\\n  '),
    );
  });

  it('is that of the error, without its credential', async () => {
    const client = new SwitchyardClient({
      baseUrl: 'http://host',
      credential: 'sk-secret',
      fetch: () => Promise.resolve(Response.json({ code: 'NO', message: 'No.' }, { status: 403 })),
    });
    const error: unknown = await client.agents.list({ q: '`id`' }).catch((refusal: unknown) => refusal);
    expect(curlOf(error, 'http://host')).toBe(
      'curl -X GET \'http://host/api/agents?q=%60id%60\' \\\n  -H "authorization: Bearer $SWITCHYARD_TOKEN"',
    );
    expect(curlOf(new Error('other'), 'http://host')).toBeNull();
  });
});
