import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const words = (content: string): string => event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });

const LARGE = words('word '.repeat(3_000));
const SMALL_EVERY_MS = 20;

export interface WatchedCall {
  model: string;
  sentBytes: number;
  /** The relay closed the connection before the end. */
  isBrokenOff: boolean;
}

export interface WatchedUpstream {
  url: string;
  calls: WatchedCall[];
  close(): Promise<void>;
}

/** Answers with streams that do not end: `flood` as fast as the relay reads, any other model slowly. */
export async function startWatchedUpstream(): Promise<WatchedUpstream> {
  const calls: WatchedCall[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { model } = JSON.parse(Buffer.concat(pieces).toString()) as { model: string };
      const call: WatchedCall = { model, sentBytes: 0, isBrokenOff: false };
      calls.push(call);
      response.on('close', () => (call.isBrokenOff = true));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (model === 'flood') flood(response, call);
      else trickle(response, call);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function flood(response: ServerResponse, call: WatchedCall): void {
  const send = (): void => {
    let isTaken = true;
    while (isTaken && !response.destroyed) {
      call.sentBytes += LARGE.length;
      isTaken = response.write(LARGE);
    }
  };
  // Not within the event: the relay's side must have a turn.
  response.on('drain', () => setImmediate(send));
  send();
}

function trickle(response: ServerResponse, call: WatchedCall): void {
  const timer = setInterval(() => {
    call.sentBytes += 1;
    response.write(words('tick '));
  }, SMALL_EVERY_MS);
  response.on('close', () => clearInterval(timer));
}
