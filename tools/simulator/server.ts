import { IncomingMessage, Server, ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ScriptedError } from './answer';
import { chat, journal } from './chat';
import { complete } from './completions';
import { embeddings } from './embeddings';
import { draw, echo, inspect, speak, transcribe } from './media';
import { MODELS, refusalOf } from './models';
import { readBody, sendError, sendJson } from './reply';
import { respond } from './responses';

type JsonRoute = (response: ServerResponse, body: Record<string, unknown>) => Promise<void> | void;

const JSON_ROUTES: Record<string, JsonRoute> = {
  '/v1/chat/completions': chat,
  '/v1/completions': complete,
  '/v1/responses': respond,
  '/v1/embeddings': embeddings,
};

function bodyOf(bytes: Buffer): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const bytes = await readBody(request);
  const jsonRoute = request.method === 'POST' ? JSON_ROUTES[path] : undefined;
  if (jsonRoute) {
    const body = bodyOf(bytes);
    const refusal = body && refusalOf(path, body['model']);
    if (!body) sendError(response, 400, 'The body is not a JSON object.');
    else if (refusal) sendError(response, 400, refusal, 'model');
    else await jsonRoute(response, body);
    return;
  }
  if (path === '/health') {
    sendJson(response, 200, { status: 'ok' });
    return;
  }
  if (path === '/v1/calls') {
    sendJson(response, 200, { calls: journal.read() });
    return;
  }
  if (path === '/v1/models') {
    sendJson(response, 200, { object: 'list', data: MODELS });
    return;
  }
  if (path === '/v1/inspect') {
    inspect(response, request, bytes);
    return;
  }
  if (path === '/v1/echo') {
    echo(response, request, bytes);
    return;
  }
  const model = MODELS.find(({ id }) => path === `/v1/models/${id}`);
  if (model) {
    sendJson(response, 200, model);
    return;
  }
  if (path === '/v1/audio/speech') {
    speak(response);
    return;
  }
  if (path.startsWith('/v1/audio/')) {
    transcribe(response, bytes);
    return;
  }
  if (path.startsWith('/v1/images/')) {
    draw(response);
    return;
  }
  sendError(response, 404, `The simulator has nothing at ${path}.`);
}

export interface Simulator {
  port: number;
  /** With `/v1`, as clients want their base URL. */
  url: string;
  close(): Promise<void>;
}

/** Starts a model upstream that follows scripts. Port 0 takes any free one. */
export async function startSimulator(port = 0, host = '127.0.0.1'): Promise<Simulator> {
  const server: Server = createServer((request, response) => {
    route(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else if (error instanceof ScriptedError) sendError(response, error.status, error.message);
      else sendError(response, 500, 'The simulator failed.');
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    url: `http://${host}:${address.port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
