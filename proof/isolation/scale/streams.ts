import { type Socket, connect } from 'node:net';
import { type TestPlatform, until } from '@switchyard/testing';
import { changes, inParallel, takenBy } from './figures';
import type { ScaleReport } from './scale-report';

const SSE = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };
const WORKERS = 20;
const REPORT_EVERY = 1_000;
const OPEN_WITHIN_MS = 30_000;

/** Very many streams of turns on which nothing happens: each turn waits for a tool of its host. */
export async function runStreams(
  platform: TestPlatform,
  count: number,
  print: (line: string) => void,
): Promise<ScaleReport> {
  const space = await platform.newSpace();
  const clock = { name: 'wait', description: 'Waits.', parameters: { type: 'object' } };
  const made = await space.owner.post('/agents', {
    name: 'Waiting',
    model: 'sim-chat',
    systemPrompt: 'You wait.',
    localTools: [clock],
  });
  const agentId = (made.body as { data: { id: string } }).data.id;
  const session = await space.owner.post('/agents/sessions', { agentId });
  const sessionId = (session.body as { data: { id: string } }).data.id;
  const contents = [{ type: 'text', text: '@@tool wait {}' }];
  const talk = await space.owner.stream(
    `/agents/${agentId}/chat`,
    { session_id: sessionId, contents },
    { headers: SSE },
  );
  if (talk.status !== 200) throw new Error(`the chat was answered with ${talk.status}`);
  const turnId = await until(async () => {
    const reply = await space.owner.get(`/agents/sessions/${sessionId}`);
    return (reply.body as { data: { activeTurnId: string | null } }).data.activeTurnId;
  });
  const before = await takenBy(platform);
  const sockets: Socket[] = [];
  const refused = new Map<string, number>();
  let firstRefused = '';
  const from = Date.now();
  await inParallel(count, WORKERS, async (n) => {
    const answer = await openStream(platform.url, n, [
      `GET /api/agents/${agentId}/turns/${turnId}/stream HTTP/1.1`,
      'host: scale',
      `authorization: ${space.owner.authorization ?? ''}`,
      'accept: text/event-stream',
      'x-service-stream-protocol: stream-v3',
      '',
      '',
    ]);
    if (answer.status === '200') sockets.push(answer.socket);
    else {
      firstRefused ||= `${answer.status} after ${sockets.length}`;
      refused.set(answer.status, (refused.get(answer.status) ?? 0) + 1);
      answer.socket.destroy();
    }
    if (n % REPORT_EVERY === 0) print(`${sockets.length} open in ${Math.round((Date.now() - from) / 1000)} s`);
  });
  const open = sockets.filter(({ destroyed }) => !destroyed).length;
  const after = await takenBy(platform);
  for (const socket of sockets) socket.destroy();
  const gatewayMi = (after['gateway MiB'] ?? 0) - (before['gateway MiB'] ?? 0);
  return {
    name: 'streams',
    count,
    figures: {
      open,
      'seconds to open them': Math.round((Date.now() - from) / 1000),
      'KiB of the gateway each': Math.round((gatewayMi * 1024) / Math.max(1, open)),
      refused: JSON.stringify(Object.fromEntries(refused)),
      'first refused': firstRefused || 'none',
      ...changes(before, after),
    },
    broken: open === count ? [] : [`${open} of ${count} streams are open`],
  };
}

function openStream(url: string, n: number, head: string[]): Promise<{ status: string; socket: Socket }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    // One address has not ports enough for all of them.
    const socket = connect({ host: hostname, port: Number(port), localAddress: `127.0.1.${1 + (n % 200)}` });
    const end = (status: string): void => resolve({ status, socket });
    socket.setTimeout(OPEN_WITHIN_MS, () => end('no answer'));
    socket.once('connect', () => socket.write(head.join('\r\n')));
    socket.once('data', (chunk: Buffer) => {
      socket.setTimeout(0);
      end(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1] ?? 'no status');
    });
    socket.once('error', ({ message }) => end(message));
    socket.once('close', () => end('closed'));
  });
}
