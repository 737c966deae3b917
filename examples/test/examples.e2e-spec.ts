import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { inspector, newerNode } from '../../apps/gateway/test/conformance/mcp-tools';

const platform = usePlatform();
const root = path.resolve(__dirname, '../..');
let space: TestSpace;
let key: Client;

beforeAll(async () => {
  space = await platform.newSpace();
  key = await space.key();
});

/** Output of an example, or its error. */
function run(name: string, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const command = name.endsWith('.sh') ? ['bash', `examples/${name}`] : [process.execPath, `dist/examples/${name}.js`];
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      SWITCHYARD_URL: platform.url,
      SWITCHYARD_KEY: key.credential,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 100_000,
  });
  let sent = '';
  child.stdout.on('data', (chunk: Buffer) => (sent += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (sent += chunk.toString('utf8')));
  return new Promise((resolve) =>
    child.once('close', (code) => resolve(code === 0 ? sent : `${sent}\nended with ${code}`)),
  );
}

const ran = new Set<string>();

test.each([
  [
    'chat',
    /^One moment\.\nThe agent asks: Window or aisle\?\nBooked: .*window.*\nThe transcript: user, assistant, tool, assistant\n$/,
  ],
  ['openai', /^Models: .*sim-chat.*\nYou said: Good morning!\nEmbeddings: 2 vectors of 384 numbers\n$/],
  ['mcp-client', /^29 tools, the first is whoami\nAsked: Red or white\?\nCOMPLETED after some progress: .*Enjoy!\n$/s],
  [
    'webhook-receiver',
    /^Somebody else's callback: 401\nagent_job\.succeeded: You said: Sort the mail\nIt is the job that we submitted: true\n$/,
  ],
  ['events', /^The repeat is known: true\nThe task ran once: .*Paid 42.*\n$/],
  [
    'datasets.sh',
    /^2\nBuilt after 1900:\nGrand Central\nWith a clock:\nGrand Central\nSomething like a hotel over the trains:\nSt Pancras\n$/,
  ],
])('examples/%s does what it says', async (name, expected) => {
  ran.add(name);
  expect(await run(name)).toMatch(expected);
});

test('examples/mcp-inspector.sh lists and calls tools', async () => {
  ran.add('mcp-inspector.sh');
  const sent = await run('mcp-inspector.sh', { INSPECTOR: `${newerNode()} ${inspector()}` });
  expect(sent).toMatch(/^whoami list_agents get_agent call_agent .* get_usage\nOWNER\n1\n$/m);
});

test('every example is run', () => {
  const examples = readdirSync(path.join(root, 'examples')).filter((name) => /\.(ts|sh)$/.test(name));
  expect(examples.map((name) => name.replace(/\.ts$/, '')).filter((name) => !ran.has(name))).toEqual(['settings']);
});
