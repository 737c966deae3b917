// The least that a relay can be: bytes to the upstream and back over kept connections. It knows no keys and counts nothing.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Pool } from 'undici';

const { origin, pathname } = new URL(process.env['UPSTREAM_URL'] ?? '');
const pool = new Pool(origin, { connections: 256 });

async function relay(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const answer = await pool.request({
    method: 'POST',
    path: `${pathname}${request.url?.replace(/^\/models\/v1/, '') ?? ''}`,
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat(chunks),
  });
  response.writeHead(answer.statusCode, { 'content-type': String(answer.headers['content-type']) });
  await pipeline(answer.body, response);
}

const server = http.createServer((request, response) => {
  relay(request, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
