import { type Client, usePlatform } from '@switchyard/testing';
import { JobActions } from './job-actions';

const platform = usePlatform();
const TEXT = `a${'é'.repeat(450_000)}`;

describe('a job over 8 MiB', () => {
  it('links its longest fields and comes back whole, for those who may read it', async () => {
    const space = await platform.newSpace();
    const jobs = await JobActions.open(space);
    const maker = await space.member();
    const input = { contents: Array.from({ length: 10 }, () => ({ type: 'text', text: TEXT })) };
    const metadata = { note: 'x'.repeat(16_000) };
    const body = { type: 'AGENT_INVOKE', agentId: jobs.agentId, input, metadata, maxAttempts: 1 };
    const submitted = await maker.post('/agent-jobs', body);
    expect(submitted.status).toBe(202);
    const { id } = submitted.body.data;
    const path = `/agent-jobs/${id}/content`;
    const link = { truncated: true, bytes: expect.any(Number), content: `/api${path}?field=input` };
    expect(submitted.body.data).toMatchObject({ input: link, metadata });
    const read = (await maker.get(`/agent-jobs/${id}`)).body.data;
    expect(read).toMatchObject({ input: link, metadata });
    const content = await maker.raw('GET', read.input.content as string);
    expect(content).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
    expect(content.body).toEqual(input);
    expect((await space.owner.get(`${path}?field=metadata`)).body).toEqual(metadata);
    expect((await maker.get(`${path}?field=result`)).status).toBe(200);

    const statusOf = async (client: Client, field: string): Promise<number> =>
      (await client.get(`${path}${field}`)).status;
    expect(await statusOf(maker, '')).toBe(400);
    expect(await statusOf(maker, '?field=phase')).toBe(400);
    expect(await statusOf(await space.member(), '?field=input')).toBe(404);
    expect(await statusOf((await platform.newSpace()).owner, '?field=input')).toBe(404);
    const unknown = `/agent-jobs/0198f2b0-0000-7000-8000-000000000000/content?field=input`;
    expect(await maker.get(unknown)).toMatchObject({ status: 404, body: { message: 'Job not found' } });

    const cancelled = await maker.post(`/agent-jobs/${id}/cancel`, {});
    if (cancelled.status !== 409) expect(cancelled).toMatchObject({ status: 200, body: { data: { input: link } } });
  });
});
