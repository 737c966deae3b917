import type { Ctx } from '@switchyard/contracts';
import type { Bus, StreamReader } from '@switchyard/messaging';
import type { FastifyReply } from 'fastify';
import { OpenStreams } from '../auth/open-streams';
import type { GatewayConfig } from '../gateway.config';
import { FrameSender } from './frame-sender';

const unused = {} as Bus & FastifyReply;
const ctx = { credentialType: 'api_key', credentialId: 'key', userId: 'ann', spaceId: 'space' } as Ctx;

describe('a credential that is revoked while its stream is being opened', () => {
  it('is refused with the first frame at hand, and the stream is left', async () => {
    const streams = new OpenStreams({ STREAMS_PER_CREDENTIAL: 1 } as GatewayConfig, unused);
    let opened: (reader: StreamReader<string>) => void = () => undefined;
    const open = (): Promise<StreamReader<string>> => new Promise((resolve) => (opened = resolve));
    const sent = new FrameSender(unused, streams).send(ctx, unused, { agentId: 'a', turnId: 't', after: 0, open });
    streams.end(() => true);
    const cancel = jest.fn();
    opened({ more: () => Promise.resolve(true), takeReady: () => ['{"seq":1}'], cancel } as never);
    await expect(sent).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(cancel).toHaveBeenCalled();
    expect(streams.size).toBe(0);
  });
});
