import { PassThrough } from 'node:stream';
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

/** What a response has to be for a stream of events, and what was written into it. */
function listeningReply(): { reply: FastifyReply; heard: () => string } {
  const raw = new (class extends PassThrough {
    writeHead = (): void => undefined;
    flushHeaders = (): void => undefined;
  })();
  const reply = { raw, header: () => reply, getHeaders: () => ({}), hijack: () => undefined };
  let text = '';
  raw.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { reply: reply as unknown as FastifyReply, heard: () => text };
}

describe('a credential that is revoked while its stream is open', () => {
  it('ends the stream with a comment: the next numbers belong to the frames of the turn, which goes on', async () => {
    const streams = new OpenStreams({ STREAMS_PER_CREDENTIAL: 1 } as GatewayConfig, unused);
    let cancel = (): void => undefined;
    const waits = new Promise<boolean>((resolve) => (cancel = () => resolve(false)));
    const more = jest.fn().mockResolvedValueOnce(true).mockReturnValue(waits);
    const reader = { more, takeReady: () => ['{"seq":1}'], cancel } as never as StreamReader<string>;
    const { reply, heard } = listeningReply();
    const open = (): Promise<StreamReader<string>> => Promise.resolve(reader);
    const sent = new FrameSender(unused, streams).send(ctx, reply, { agentId: 'a', turnId: 't', after: 0, open });
    while (more.mock.calls.length < 2) await new Promise(setImmediate);
    streams.end(() => true);
    await sent;
    const last = ': UNAUTHORIZED The credential of this stream is no longer valid.\n\n';
    expect(heard()).toBe(`id: 1\ndata: {"seq":1}\n\n${last}`);
    expect(streams.size).toBe(0);
  });
});
