import { Pool } from 'undici';

export interface HttpCall {
  method: 'GET' | 'POST';
  path: string;
  /** The value of an API key. */
  key: string;
  body?: object;
  headers?: Record<string, string>;
  /** Text at the end of the response. */
  end?: string;
}

const CONNECTIONS = 64;

/** Calls a gateway as cheaply as can be, reads each answer to its end, and fails where it is not a good one. */
export class HttpCaller {
  private readonly pool: Pool;

  constructor(url: string) {
    this.pool = new Pool(url, { connections: CONNECTIONS });
  }

  async call({ method, path, key, body, headers: own = {}, end = '' }: HttpCall): Promise<string> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...own };
    const sent = body === undefined ? null : JSON.stringify(body);
    const reply = await this.pool.request({ method, path, headers, body: sent });
    const text = await reply.body.text();
    if (reply.statusCode >= 300 || !text.includes(end))
      throw new Error(`${method} ${path}: ${reply.statusCode} ${text.slice(-500)}`);
    return text;
  }

  stop(): Promise<void> {
    return this.pool.close();
  }
}

/** A turn of an agent, read as a stream to its end; without a session it makes one. */
export const chatTurn = (key: string, agentId: string, sessionId?: string): HttpCall => ({
  method: 'POST',
  path: `/api/agents/${agentId}/chat`,
  key,
  headers: { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' },
  body: {
    contents: [{ type: 'text', text: '@@tokens 10' }],
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
  },
  end: '"COMPLETED"',
});
