import { TestPlatform } from '@switchyard/testing';
import { CpuPerOperation } from '../cpu';
import { alternate, atLeast } from '../measure';
import { startNoOpGateway } from '../no-op-side';
import { perSecond } from '../per-second';
import type { BenchContext, BenchRow, Measured } from '../row';
import { ONE_SERVICE } from '../shape';

const ROUNDS = 5;
const TIMES = 3_000;
const CONNECTIONS = 16;
const VERSION = '2026-07-28';

/** A request as a client of the newest revision sends it: nothing comes before it. */
const message = (method: string, params: { name?: string; arguments?: object } = {}): MessageRequest => ({
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': VERSION,
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
});

interface MessageRequest {
  method: 'POST';
  headers: Record<string, string>;
  body: string;
}

/**
 * The same work over MCP and over REST, at the same gateway with the same key. The SDK makes a server, a request and a
 * response of the web's kind, and checks each message with schemas of its own: half of what REST does in a second is
 * what that may cost.
 */
export const mcp: BenchRow = {
  name: 'mcp',
  shapes: ONE_SERVICE,
  async run({ state }: BenchContext): Promise<Measured[]> {
    const key = await (await new TestPlatform().newSpace()).key();
    const gateway = await startNoOpGateway(state);
    const authorization = `Bearer ${key.credential}`;
    const { key: keyService, nats } = state.pids;
    const open = async (row: Comparison): Promise<Measured> => {
      const cpu = new CpuPerOperation({ gateway: gateway.pid, key: keyService, nats });
      const ours = { url: `${gateway.ready}/mcp`, ...row.message };
      const headers = { ...ours.headers, authorization };
      const pair = await alternate(
        ROUNDS,
        () => cpu.during(TIMES, () => perSecond({ ...ours, headers, connections: CONNECTIONS, amount: TIMES })),
        () =>
          perSecond({
            url: `${gateway.ready}${row.path}`,
            headers: { authorization },
            connections: CONNECTIONS,
            amount: TIMES,
          }),
      );
      return atLeast(0.5, { what: row.what, beside: row.beside, unit: 'req/s', cpu: cpu.result(), ...pair });
    };
    try {
      return [
        await open({
          what: 'tools/list over MCP',
          message: message('tools/list'),
          beside: 'a list as large over REST',
          path: '/api/bench/list',
        }),
        await open({
          what: 'whoami over MCP',
          message: message('tools/call', { name: 'whoami', arguments: {} }),
          beside: 'the same call over REST',
          path: '/api/auth/me',
        }),
      ];
    } finally {
      gateway.stop();
    }
  },
};

interface Comparison {
  what: string;
  message: MessageRequest;
  beside: string;
  path: string;
}
