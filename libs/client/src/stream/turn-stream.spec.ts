import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SwitchyardClient, text } from '../client';
import { ApiVersionError } from '../http/errors';
import type { TurnEvent } from './turn-event';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const frame = (seq: number, method: string, data: object): string =>
  JSON.stringify({ type: 'event', method, params: { namespace: [], timestamp: 0, data }, seq });
const custom = (seq: number, event: string, data: object = {}): string =>
  frame(seq, 'custom:service', { event, ...data });
const delta = (seq: number, word: string): string => custom(seq, 'content-delta', { delta: word, message_id: 'm' });
const ended = (seq: number, status = 'COMPLETED'): string => custom(seq, 'stream-ended', { status });

/** A turn of six frames. */
const TURN = [
  frame(1, 'lifecycle', { event: 'started' }),
  custom(2, 'session-started', { session_id: 's', turn_id: 't', agent_id: 'a' }),
  delta(3, 'one '),
  delta(4, 'two'),
  custom(5, 'response-completed', { message_id: 'm', finish_reason: 'stop', token_usage: {} }),
  ended(6),
];

function sse(response: ServerResponse, frames: string[], end: 'end' | 'cut' | 'stay' = 'end'): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(frames.map((frame) => `id: ${JSON.parse(frame).seq as number}\ndata: ${frame}\n\n`).join(''), () => {
    if (end === 'end') response.end();
    if (end === 'cut') response.destroy();
  });
}

const refuse = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1' });
  response.end(JSON.stringify({ success: false, message: 'No.', code }));
};

const after = (request: IncomingMessage): number => Number(request.headers['last-event-id']);

/** A host that answers its requests one after the other as told. */
async function host(...answers: Handler[]): Promise<{ client: SwitchyardClient; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    seen.push(
      `${request.method ?? ''} ${request.url ?? ''}${request.headers['last-event-id'] ? ` after ${after(request)}` : ''}`,
    );
    const answer = answers.shift();
    if (answer) answer(request, response);
    else refuse(response, 500, 'SERVER_ERROR');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: new SwitchyardClient({ baseUrl, credential: 'k', reattachMs: 5000, silenceMs: 300 }), seen };
}

const servers: (() => void)[] = [];
afterEach(() => {
  for (const stop of servers.splice(0)) stop();
});

const chat = { contents: text('Hello'), turnId: 't' };
const collect = async (events: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> => {
  const all: TurnEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
};

describe('a turn’s stream', () => {
  it('gives the product events their dotted names, in order', async () => {
    const { client } = await host((_, response) => {
      sse(response, TURN);
    });
    const stream = await client.agents.chat('a', chat);
    const events = await collect(stream);
    expect(events.map((event) => event.name)).toEqual([
      'session.started',
      'content.delta',
      'content.delta',
      'response.completed',
      'stream.ended',
    ]);
    expect(stream.summary).toMatchObject({
      text: 'one two',
      status: 'COMPLETED',
      sessionId: 's',
      finishReason: 'stop',
    });
  });

  it.each(['cut', 'end'] as const)(
    'is taken up again where its connection was lost (%s), and repeats nothing',
    async (how) => {
      const { client, seen } = await host(
        (_, response) => {
          sse(response, TURN.slice(0, 3), how);
        },
        (_, response) => {
          refuse(response, 503, 'SERVICE_UNAVAILABLE');
        },
        (request, response) => {
          sse(response, TURN.slice(after(request), 4), 'cut');
        },
        // A server that replays from the start does no harm either.
        (_, response) => {
          sse(response, TURN);
        },
      );
      const stream = await client.agents.chat('a', chat);
      const seqs: number[] = [];
      for await (const frame of stream.frames()) seqs.push(frame.seq);
      expect(seqs).toEqual([1, 2, 3, 4, 5, 6]);
      expect(seen).toEqual([
        'POST /api/agents/a/chat',
        'GET /api/agents/a/turns/t/stream after 3',
        'GET /api/agents/a/turns/t/stream after 3',
        'GET /api/agents/a/turns/t/stream after 4',
      ]);
    },
  );

  it('of an execute is restored from its answer on, and never asked for twice', async () => {
    const { client, seen } = await host(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'x-turn-id': 't9' });
        response.flushHeaders();
        response.destroy();
      },
      (_, response) => {
        sse(response, TURN);
      },
    );
    const stream = await client.agents.executeStream('a', { inputs: {} });
    expect(await stream.text()).toBe('one two');
    expect(seen).toEqual(['POST /api/agents/a/execute', 'GET /api/agents/a/turns/t9/stream after 0']);
    const lapsed = await host((_, response) => {
      response.destroy();
    });
    await expect(lapsed.client.agents.executeStream('a', { inputs: {} })).rejects.toThrow('no answer');
    expect(lapsed.seen).toEqual(['POST /api/agents/a/execute']);
  });

  it('is opened once more if the request never arrived', async () => {
    const { client, seen } = await host(
      (request) => request.socket.destroy(),
      (_, response) => {
        sse(response, TURN);
      },
    );
    expect(await (await client.agents.chat('a', chat)).text()).toBe('one two');
    expect(seen).toEqual(['POST /api/agents/a/chat', 'POST /api/agents/a/chat']);
  });

  it('asks for a missing frame, and gives up when it stays missing', async () => {
    const holed = [TURN[0] ?? '', TURN[2] ?? ''];
    const { client } = await host(
      (_, response) => {
        sse(response, holed);
      },
      (request, response) => {
        sse(response, TURN.slice(after(request)));
      },
    );
    expect(await (await client.agents.chat('a', chat)).text()).toBe('one two');
    const hopeless = await host(
      (_, response) => {
        sse(response, holed);
      },
      (_, response) => {
        sse(response, holed);
      },
    );
    const stream = await hopeless.client.agents.chat('a', chat);
    await expect(stream.finished()).rejects.toMatchObject({ name: 'StreamProtocolError', turnId: 't', lastSeq: 1 });
  });

  it('rejects what is no frame of the protocol', async () => {
    const strange = JSON.stringify({ type: 'event', method: 'telepathy', params: { data: {} }, seq: 1 });
    const { client } = await host((_, response) => {
      sse(response, [strange], 'stay');
    });
    await expect((await client.agents.chat('a', chat)).finished()).rejects.toThrow('no frame of this protocol');
  });

  it('leaves a connection that has fallen silent', async () => {
    const { client, seen } = await host(
      (_, response) => {
        sse(response, TURN.slice(0, 3), 'stay');
      },
      (request, response) => {
        sse(response, TURN.slice(after(request)));
      },
    );
    expect(await (await client.agents.chat('a', chat)).text()).toBe('one two');
    expect(seen).toHaveLength(2);
  });

  it('rejects where it is refused, before it begins', async () => {
    const { client, seen } = await host((_, response) => {
      refuse(response, 409, 'TURN_ALREADY_ACTIVE');
    });
    await expect(client.agents.chat('a', chat)).rejects.toMatchObject({
      status: 409,
      code: 'TURN_ALREADY_ACTIVE',
      requestId: 'r-1',
    });
    expect(seen).toHaveLength(1);
  });

  it('says that its credential is gone when that ended it', async () => {
    const { client, seen } = await host(
      (_, response) => {
        sse(response, TURN.slice(0, 3), 'stay');
        response.end(': UNAUTHORIZED The credential of this stream is no longer valid.\n\n');
      },
      (_, response) => {
        refuse(response, 401, 'UNAUTHORIZED');
      },
    );
    const stream = await client.agents.chat('a', chat);
    await expect(stream.finished()).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(stream.lastSeq).toBe(3);
    expect(seen).toEqual(['POST /api/agents/a/chat', 'GET /api/agents/a/turns/t/stream after 3']);
  });

  it('says so when its frames are gone', async () => {
    const { client } = await host(
      (_, response) => {
        sse(response, TURN.slice(0, 2), 'cut');
      },
      (_, response) => {
        refuse(response, 410, 'STREAM_EXPIRED');
      },
    );
    await expect((await client.agents.chat('a', chat)).finished()).rejects.toMatchObject({ code: 'STREAM_EXPIRED' });
  });

  it('stops at a question and goes on with its answer, under the same count', async () => {
    const interaction = { id: 'i', sessionId: 's', prompt: 'Which?' };
    const first = [...TURN.slice(0, 2), custom(3, 'agent-input-required', { interaction }), ended(4, 'WAITING_INPUT')];
    const rest = [
      delta(5, 'done'),
      custom(6, 'response-completed', { message_id: 'm', finish_reason: 'stop', token_usage: {} }),
      ended(7),
    ];
    const { client, seen } = await host(
      (_, response) => {
        sse(response, first);
      },
      (_, response) => {
        sse(response, rest);
      },
    );
    const request = await client.agents.chat('a', chat);
    expect(await request.finished()).toMatchObject({ status: 'WAITING_INPUT', interaction });
    const stream = await request.answer({ selectedOptionIds: ['o'] });
    expect(await stream.text()).toBe('done');
    expect(stream.lastSeq).toBe(7);
    expect(seen).toEqual(['POST /api/agents/a/chat', 'POST /api/agents/a/turns/t/resume']);
  });

  const late = { idempotent: true, interaction: { id: 'i', selectedOptionIds: ['other'] } };
  const tooLate: Handler = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: true, message: '', data: late }));
  };

  it('reads along when somebody else has answered, and tells what counted', async () => {
    const { client, seen } = await host(tooLate, (request, response) => {
      sse(response, TURN.slice(after(request)));
    });
    const [address, question] = [
      { agentId: 'a', turnId: 't' },
      { id: 'i', sessionId: 's' },
    ];
    const stream = await client.turns.resume(address, question, { selectedOptionIds: ['o'] }, { after: 3 });
    await stream.finished();
    expect(stream.lastSeq).toBe(6);
    expect(seen[1]).toBe('GET /api/agents/a/turns/t/stream after 3');
    expect(stream.answeredBefore).toEqual(late.interaction);
  });

  it('is not read for an answer alone, which is told whether it counts', async () => {
    const { client } = await host((_, response) => sse(response, TURN), tooLate);
    const answer = (): Promise<unknown> =>
      client.turns.answer({ agentId: 'a', turnId: 't' }, { id: 'i', sessionId: 's' }, { selectedOptionIds: ['o'] });
    expect(await answer()).toBeNull();
    expect(await answer()).toEqual(late.interaction);
    await expect(answer()).rejects.toMatchObject({ status: 500 });
  });

  it('forgets what a restarted step had said', async () => {
    const frames = [...TURN.slice(0, 3), custom(4, 'step-restarted', { from_seq: 3 }), delta(5, 'anew'), ended(6)];
    const { client } = await host((_, response) => {
      sse(response, frames);
    });
    expect(await (await client.agents.chat('a', chat)).text()).toBe('anew');
  });

  it('throws what went wrong when its text is asked for', async () => {
    const frames = [
      ...TURN.slice(0, 2),
      custom(3, 'error-occurred', { code: 'RUNTIME_UNAVAILABLE', message: 'Down.', retryable: true }),
      ended(4, 'FAILED'),
    ];
    const { client } = await host((_, response) => {
      sse(response, frames);
    });
    await expect((await client.agents.chat('a', chat)).text()).rejects.toMatchObject({
      name: 'TurnFailedError',
      code: 'RUNTIME_UNAVAILABLE',
      turnId: 't',
      lastSeq: 4,
    });
  });

  it('lets go of its connection when the reader leaves', async () => {
    let closed: Promise<unknown> | undefined;
    const { client } = await host((_, response) => {
      closed = once(response, 'close');
      sse(response, TURN.slice(0, 3), 'stay');
    });
    for await (const event of await client.agents.chat('a', chat)) if (event.name === 'content.delta') break;
    await closed;
  });

  it('ends for good when its reader aborts', async () => {
    const { client, seen } = await host((_, response) => {
      sse(response, TURN.slice(0, 3), 'stay');
    });
    const abort = new AbortController();
    const stream = await client.agents.chat('a', chat, { signal: abort.signal });
    const reading = (async () => {
      for await (const event of stream) if (event.name === 'content.delta') abort.abort();
    })();
    await expect(reading).rejects.toThrow();
    expect(seen).toHaveLength(1);
  });
});

describe('requests', () => {
  it('repeats what can be repeated, and nothing else', async () => {
    const down: Handler = (_, response) => {
      refuse(response, 503, 'SERVICE_UNAVAILABLE');
    };
    const done: Handler = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ success: true, message: '', data: { id: 'x' } }));
    };
    const reads = await host(down, done);
    await expect(reads.client.agents.get('x')).resolves.toEqual({ id: 'x' });
    const creates = await host(down, done);
    await expect(creates.client.sessions.create()).rejects.toMatchObject({ status: 503 });
    expect(creates.seen).toHaveLength(1);
    const keyed = await host(down, done);
    await expect(keyed.client.sessions.create({}, { idempotencyKey: 'once' })).resolves.toEqual({ id: 'x' });
  });

  it('carries a key in any script', async () => {
    let sent = '';
    const { client } = await host((request, response) => {
      sent = Buffer.from(String(request.headers['idempotency-key']), 'latin1').toString();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ success: true, message: '', data: { id: 'x' } }));
    });
    await client.sessions.create({}, { idempotencyKey: 'é 注文' });
    expect(sent).toBe('é 注文');
  });
});

describe('the version of the API', () => {
  const answer =
    (version?: string): Handler =>
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...(version ? { 'x-api-version': version } : {}) });
      response.end(JSON.stringify({ success: true, message: '', data: [], page: { limit: 20, nextCursor: null } }));
    };

  it.each([['1.0.0'], ['1.7.2'], [undefined]])('may be %s', async (version) => {
    const { client } = await host(answer(version));
    expect((await client.agents.list()).items).toEqual([]);
  });

  it('is no other one: nothing is read, and nothing is asked again', async () => {
    const { client, seen } = await host(answer('2.0.0'), answer('2.0.0'));
    const refused = await client.agents.list().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiVersionError);
    expect(refused).toMatchObject({ expected: '1.0.0', actual: '2.0.0' });
    expect(seen).toHaveLength(1);
  });
});
