import { type Server, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { until } from '@switchyard/testing';
import {
  type AnswerReader,
  type ClientRequest,
  MuxConnectionPool,
  MuxRefused,
  MuxServer,
  type ServedCall,
} from '../src/mux';

const PATH = '/road';
const WINDOW = 64 * 1024;

class RecordingReader implements AnswerReader {
  head = '';
  text = '';
  state: 'open' | 'ended' | 'broken' | `failed: ${string}` = 'open';
  call: ClientRequest | undefined;

  /** A reader that takes nothing says nothing of what it has taken. */
  constructor(private readonly takes = true) {}

  answer(head: Buffer, bytes: Buffer, isWhole: boolean): void {
    this.head = head.toString();
    this.bytes(bytes);
    if (isWhole) this.end();
  }

  bytes(bytes: Buffer): void {
    this.text += bytes.toString('latin1');
    if (this.takes) this.call?.took(bytes.length);
  }

  end(): void {
    this.state = 'ended';
  }

  fail(reason: string | null): void {
    this.state = reason === null ? 'broken' : `failed: ${reason}`;
  }
}

let http: Server;
let path: MuxServer;
let client: MuxConnectionPool;
let sockets: Socket[];
/** The server's handler, set by each test. */
let serve: (call: ServedCall) => Promise<void> | void;
const closers: (() => void)[] = [];

const urlOf = (server: Server): URL => new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

function clientTo(url: URL): MuxConnectionPool {
  const made = new MuxConnectionPool(url, PATH);
  closers.push(() => {
    made.close();
  });
  return made;
}

const listening = async (server: Server): Promise<Server> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return server;
};

async function ask(head: string, body: Buffer | null, reader = new RecordingReader()): Promise<RecordingReader> {
  const line = await client.line();
  reader.call = line.ask(head, body, reader);
  return reader;
}

const ended = (reader: RecordingReader): Promise<boolean> => until(() => reader.state !== 'open');

beforeEach(async () => {
  sockets = [];
  path = new MuxServer((call) => void serve(call));
  http = createServer((_request, response) => response.writeHead(404).end());
  http.on('upgrade', path.accept);
  http.on('connection', (socket) => sockets.push(socket));
  await listening(http);
  client = clientTo(urlOf(http));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
  });
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

describe('a road', () => {
  it('carries many calls at once, each with its own body and answer', async () => {
    serve = async (call) => {
      const body = await call.readBody(10_000);
      call.answerWhole(call.head.toString(), Buffer.from(`${body?.toString() ?? ''}!`));
    };
    const readers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => ask(`call ${n}`, n % 3 === 0 ? null : Buffer.from(`body ${n}`))),
    );
    await Promise.all(readers.map(ended));
    expect(readers.map(({ head, text, state }) => [head, text, state])).toEqual(
      readers.map((_, n) => [`call ${n}`, n % 3 === 0 ? '!' : `body ${n}!`, 'ended']),
    );
    expect(sockets.length).toBeLessThanOrEqual(4);
  });

  it('buffers what a slow reader does not take, and delays no other reader', async () => {
    const sent = Buffer.alloc(1024 * 1024, 'x');
    let waits = 0;
    serve = async (call) => {
      call.answer(call.head.toString());
      for (let at = 0; at < sent.length; at += 8192) {
        const drained = call.write(sent.subarray(at, at + 8192));
        if (!drained) continue;
        waits += 1;
        await drained;
      }
      call.end();
    };
    const slow = await ask('slow', null, new RecordingReader(false));
    const quick = await Promise.all(Array.from({ length: 8 }, () => ask('quick', null)));
    await Promise.all(quick.map(ended));
    expect(quick.map(({ text }) => text.length)).toEqual(quick.map(() => sent.length));
    expect(slow.state).toBe('open');
    expect(slow.text.length).toBe(WINDOW);
    expect(waits).toBeGreaterThan(0);
    slow.call?.took(WINDOW);
    await until(() => slow.text.length === 2 * WINDOW);
  });

  it('cuts a large body, so that others are heard meanwhile, and refuses one that is too large', async () => {
    const received: string[] = [];
    serve = async (call) => {
      const body = await call.readBody(8 * 1024 * 1024);
      received.push(call.head.toString());
      call.answerWhole(
        body === null ? 'too large' : String(body.length),
        body === null ? Buffer.alloc(0) : body.subarray(-3),
      );
    };
    const large = Buffer.concat([Buffer.alloc(7 * 1024 * 1024), Buffer.from('end')]);
    const line = await client.line();
    const readers = [new RecordingReader(), new RecordingReader()] as const;
    readers[0].call = line.ask('large', large, readers[0]);
    readers[1].call = line.ask('small', Buffer.from('a'), readers[1]);
    await Promise.all(readers.map(ended));
    expect(received).toEqual(['small', 'large']);
    expect(readers.map(({ head, text }) => [head, text])).toEqual([
      [String(large.length), 'end'],
      ['1', 'a'],
    ]);
    const refused = await ask('refused', Buffer.alloc(9 * 1024 * 1024));
    await ended(refused);
    expect(refused.head).toBe('too large');
  });

  it('tells the server of a reader that has left, and the reader of a refusal', async () => {
    const remaining: string[] = [];
    serve = (call) => {
      if (call.head.toString() === 'no') {
        call.fail('because');
        return;
      }
      call.answer('begun');
      call.signal.addEventListener('abort', () => remaining.push(call.head.toString()));
    };
    const [refused, leaving] = [await ask('no', null), await ask('leaving', null)];
    await until(() => refused.state !== 'open' && leaving.head === 'begun');
    expect(refused.state).toBe('failed: because');
    leaving.call?.abort();
    await until(() => remaining.length > 0);
    expect(remaining).toEqual(['leaving']);
    expect(leaving.state).toBe('open');
  });

  it('breaks every call of a line that is lost, and the next one finds another line', async () => {
    serve = (call) => {
      if (call.head.toString() === 'quick') call.answerWhole('here', Buffer.from('x'));
      else call.answer('begun');
    };
    const readers = await Promise.all(Array.from({ length: 12 }, () => ask('long', null)));
    await until(() => readers.every(({ head }) => head === 'begun'));
    for (const socket of sockets) socket.resetAndDestroy();
    await Promise.all(readers.map(ended));
    expect(new Set(readers.map(({ state }) => state))).toEqual(new Set(['broken']));
    const next = await ask('quick', null);
    await ended(next);
    expect(next.text).toBe('x');
  });

  it('leads elsewhere when the server is leaving, and what runs comes to its end', async () => {
    let finish: () => void = () => undefined;
    serve = (call) => {
      call.answer('begun');
      finish = () => {
        void call.write(Buffer.from('whole'));
        call.end();
      };
    };
    const running = await ask('running', null);
    await until(() => running.head === 'begun');
    const line = await client.line();
    path.leave();
    await until(() => !line.isUsable);
    await expect(Promise.resolve(client.line())).rejects.toThrow(MuxRefused);
    finish();
    await ended(running);
    expect([running.text, running.state]).toEqual(['whole', 'ended']);
  });

  it('closes connections with another protocol, and serves the rest', async () => {
    serve = (call) => {
      call.answerWhole('', Buffer.from('fine'));
    };
    const { port } = http.address() as AddressInfo;
    const stranger = connect(port, '127.0.0.1');
    stranger.write('GET /road HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: switchyard-road/1\r\n\r\n');
    await new Promise((resolve) => stranger.once('data', resolve));
    stranger.on('error', () => undefined).write(Buffer.alloc(64, 0xff));
    await new Promise((resolve) => stranger.once('close', resolve));
    const reader = await ask('a', null);
    await ended(reader);
    expect(reader.text).toBe('fine');
  });

  it('says that the other side does not speak it, or is not there', async () => {
    const old = await listening(createServer((_request, response) => response.writeHead(403).end()));
    await expect(Promise.resolve(clientTo(urlOf(old)).line())).rejects.toThrow(MuxRefused);
    const nobody = clientTo(new URL('http://127.0.0.1:1'));
    await expect(Promise.resolve(nobody.line())).rejects.toThrow('ECONNREFUSED');
    await expect(Promise.resolve(nobody.line())).rejects.toThrow('ECONNREFUSED');
  });
});
