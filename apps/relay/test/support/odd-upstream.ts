import { IncomingMessage, ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Set when the relay closed the connection before the answer was whole. */
  abortedAt?: number;
}

type Behaviour = (response: ServerResponse, body: Record<string, unknown>, seen: ReceivedRequest) => void;

const HEAD = { 'content-type': 'text/event-stream' };
const chunk = (content: string): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'upstream-name', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
const FINISH = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'upstream-name', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`;
/** The reasoning of the thinking model. */
export const THOUGHT = 'a-thought-of-its-own';
const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

const whole = (content: string, usage?: object): string =>
  JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'upstream-name',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    ...(usage ? { usage } : {}),
  });

const json = (response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
};

/** Behaviour of each model of the odd upstream. */
const BEHAVIOURS: Record<string, Behaviour> = {
  fine: (response) =>
    json(response, 200, whole('fine', { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 }), {
      'set-cookie': 'a=b',
      server: 'secret-host',
      'openai-organization': 'org-1',
      'x-request-id': 'req_1',
    }),
  hang: () => undefined,
  rubbish: (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<html>oops</html>');
  },
  'wrong-key': (response) =>
    json(
      response,
      401,
      '{"error":{"message":"Incorrect API key provided: sk-live-abcdefgh1234","type":"invalid_request_error","code":"invalid_api_key"}}',
    ),
  busy: (response) =>
    json(response, 429, '{"error":{"message":"Rate limit of org-1 reached"}}', { 'retry-after': '7' }),
  'too-long': (response) =>
    json(
      response,
      400,
      '{"error":{"message":"Too many tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}',
    ),
  unprocessable: (response) => json(response, 422, '{"error":{"message":"Cannot."}}'),
  'no-usage': (response, body) => {
    if (body['stream'] !== true) return json(response, 200, whole('Hello world out there'));
    response.writeHead(200, HEAD);
    response.end(chunk('Hello world') + chunk(' out there') + FINISH + 'data: [DONE]\n\n');
  },
  // Counts its thoughts beside what it writes, and shows them under the newer of their two names.
  thinker: (response) => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 1,
      total_tokens: 15,
      completion_tokens_details: { reasoning_tokens: 4 },
    };
    response.writeHead(200, HEAD);
    response.end(
      event({ choices: [{ index: 0, delta: { reasoning: THOUGHT }, finish_reason: null }] }) +
        chunk('Said.') +
        FINISH +
        event({ choices: [], usage }) +
        'data: [DONE]\n\n',
    );
  },
  boaster: (response, body) => {
    const usage = { prompt_tokens: 1_000_000_001, completion_tokens: 5, total_tokens: 1_000_000_006 };
    if (body['stream'] !== true) return json(response, 200, whole('Hello world out there', usage));
    response.writeHead(200, HEAD);
    response.end(
      chunk('Hello world') +
        chunk(' out there') +
        FINISH +
        `data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`,
    );
  },
  'half-frame': (response) => {
    response.writeHead(200, HEAD);
    response.write(chunk('Hello') + 'data: {"id":"c","choi');
    setTimeout(() => response.destroy(), 50);
  },
  'no-event': (response) => {
    response.writeHead(200, HEAD);
    response.end('data: {"half');
  },
  slow: (response) => {
    response.writeHead(200, HEAD);
    const timer = setInterval(() => response.write(chunk('tick ')), 200);
    response.on('close', () => clearInterval(timer));
  },
  stall: (response) => {
    response.writeHead(200, HEAD);
    response.write(chunk('one '));
  },
};

export interface OddUpstream {
  url: string;
  seen: ReceivedRequest[];
  /** Models that fail this many times (503) before they answer. */
  failing: Map<string, number>;
  /** Breaks off every call that is not answered yet. */
  hangUp(): void;
  close(): Promise<void>;
}

/** An upstream whose models misbehave in the way that their names say. */
export async function startOddUpstream(): Promise<OddUpstream> {
  const seen: ReceivedRequest[] = [];
  const failing = new Map<string, number>();
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (part: Buffer) => chunks.push(part));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const call: ReceivedRequest = { path: request.url ?? '', headers: request.headers, body };
      seen.push(call);
      open.add(response);
      response.on('close', () => {
        open.delete(response);
        if (!response.writableFinished) call.abortedAt = Date.now();
      });
      const fields = JSON.parse(body || '{}') as Record<string, unknown>;
      const model = String(fields['model']);
      const remaining = failing.get(model) ?? 0;
      if (remaining > 0) {
        failing.set(model, remaining - 1);
        json(response, 503, '{}');
      } else (BEHAVIOURS[model] ?? BEHAVIOURS['fine'])?.(response, fields, call);
    });
  });
  // A connection that ends just as it is used again would fail a call that is to succeed.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    failing,
    hangUp: () => {
      for (const response of open) response.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
