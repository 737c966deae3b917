import { connect } from 'node:net';
import { type Client, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

interface Sent {
  status: number;
  seconds: number;
}

describe('bodies that come slowly', () => {
  let owner: Client;
  let path: string;

  beforeAll(async () => {
    await platform.service('gateway').restart({ BODY_TIMEOUT_MS: '6000', BODY_STALL_MS: '8000' });
    owner = (await platform.newSpace()).owner;
    const fields = [{ name: 'text', type: 'string' }];
    path = `/api/datasets/${(await owner.post('/datasets', { name: 'Slow', schema: { fields } })).body.data.id}`;
  });

  afterAll(() => platform.service('gateway').restart());

  /** Sends the pieces with a pause after each, on a connection of its own. */
  function send(route: string, type: string, pieces: string[], pauseMs: number): Promise<Sent> {
    const { hostname, port } = new URL(owner.host);
    const started = Date.now();
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      let answer = '';
      const end = (): void => {
        clearInterval(timer);
        socket.destroy();
        resolve({ status: Number(answer.split(' ')[1] ?? 0), seconds: (Date.now() - started) / 1000 });
      };
      const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
      socket.write(
        `POST ${path}${route} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${owner.authorization}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
      );
      const remaining = [...pieces];
      const timer = setInterval(() => {
        const piece = remaining.shift();
        if (piece !== undefined) socket.write(piece);
      }, pauseMs);
      socket.on('data', (bytes) => {
        answer += bytes.toString();
        if (answer.includes('\r\n\r\n')) end();
      });
      socket.on('error', end);
      socket.on('close', end);
    });
  }

  it('are uploads that may take their time, or are cut off', async () => {
    const line = `{"text":"${'x'.repeat(3000)}"}\n`;
    const [steady, trickling, stalled, body] = await Promise.all([
      send(
        '/import',
        'application/x-ndjson',
        Array.from({ length: 20 }, () => line),
        500,
      ),
      send(
        '/import',
        'application/x-ndjson',
        Array.from({ length: 3000 }, () => ' '),
        500,
      ),
      send('/import', 'application/x-ndjson', [line], 200_000),
      send(
        '/data/query',
        'application/json',
        Array.from({ length: 3000 }, () => ' '.repeat(100)),
        200,
      ),
    ]);
    expect(steady.status).toBe(200);
    expect(steady.seconds).toBeGreaterThan(9);
    for (const cut of [trickling, stalled]) {
      expect(cut.status).toBe(408);
      expect(cut.seconds).toBeLessThan(30);
    }
    expect(body.status).toBe(408);
    expect(body.seconds).toBeLessThan(30);
    expect((await owner.raw('POST', `${path}/data/count`, {})).body.data.count).toBe(20);
  });
});
