// Customer actions inside the box's network: `make`, `check`, `service`, `rotate-key`, or `load` until stdin ends.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Reply, signIn, until } from '@switchyard/testing';
import { companyService } from './company-service';

interface CreatedResources {
  agentId: string;
  datasetId: string;
  /** Codes of the records whose insert was answered. */
  codes: string[];
  apiKeyId: string;
  apiKey: string;
}

const HOST = 'http://127.0.0.1:3000';
const PATIENCE = { timeoutMs: 120_000, everyMs: 500 };
const PAUSE_MS = 100;
const CODES_AT_ONCE = 50;
const BEGUN = 'begun\n';
const [action = '', file = ''] = process.argv.slice(2);
const { OWNER_EMAIL: email = '', OWNER_PASSWORD: password = '' } = process.env;

function dataOf(reply: Reply, status: number): Record<string, unknown> {
  if (reply.status !== status) throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`);
  return (reply.body as { data: Record<string, unknown> }).data;
}

const owner = (): Promise<Client> => until(() => signIn(new Client(HOST, null), email, password), PATIENCE);
const chat = (by: Client, { agentId }: CreatedResources): Promise<Reply> =>
  by.post(`/agents/${agentId}/chat`, { contents: [{ type: 'text', text: '@@reply It works.' }], stream: false });
const insert = (by: Client, { datasetId }: CreatedResources, code: string): Promise<Reply> =>
  by.post(`/datasets/${datasetId}/data/insert`, { records: [{ code }] });

async function make(): Promise<void> {
  const by = await owner();
  const agent = dataOf(await by.post('/agents', { name: 'Trial', model: 'sim-chat', systemPrompt: 'Be brief.' }), 201);
  const fields = [{ name: 'code', type: 'string', unique: true }];
  const dataset = dataOf(await by.post('/datasets', { name: 'Trial', schema: { fields } }), 201);
  const key = dataOf(await by.post('/api-keys', { name: 'trial' }), 201);
  dataOf(await by.post('/secrets', { name: 'TRIAL', value: 'kept' }), 201);
  const made: CreatedResources = {
    agentId: String(agent['id']),
    datasetId: String(dataset['id']),
    codes: ['first'],
    apiKeyId: String(key['id']),
    apiKey: String(key['key']),
  };
  dataOf(await insert(by, made, 'first'), 200);
  writeFileSync(file, JSON.stringify(made));
}

/** All that was acknowledged is there, the API key is accepted, and the agent answers. */
async function check(): Promise<void> {
  const made = JSON.parse(readFileSync(file, 'utf8')) as CreatedResources;
  const by = await owner();
  const turn = await until(async () => dataOf(await chat(by, made), 200), PATIENCE);
  if (turn['status'] !== 'COMPLETED') throw new Error(`the turn is ${String(turn['status'])}`);
  const byKey = by.as(`Bearer ${made.apiKey}`);
  await until(async () => dataOf(await byKey.get(`/agents/${made.agentId}`), 200), PATIENCE);
  for (let at = 0; at < made.codes.length; at += CODES_AT_ONCE) {
    const codes = made.codes.slice(at, at + CODES_AT_ONCE);
    const filter = { code: { in: codes } };
    const ask = (): Promise<Reply> => by.post(`/datasets/${made.datasetId}/data/count`, { filter });
    const { count } = await until(async () => dataOf(await ask(), 200), PATIENCE);
    if (count !== codes.length) throw new Error(`of ${codes.length} records ${String(count)} are left`);
  }
}

/**
 * Reports its start and runs until stdin ends. Successful responses are recorded; others are counted by status.
 */
async function load(): Promise<void> {
  const made = JSON.parse(readFileSync(file, 'utf8')) as CreatedResources;
  const by = await owner();
  const input = process.stdin.resume();
  process.stdout.write(BEGUN);
  const sent: Record<string, number> = {};
  const ask = async (work: Promise<Reply>): Promise<boolean> => {
    const status = await work.then((reply) => reply.status).catch(() => 0);
    sent[status] = (sent[status] ?? 0) + 1;
    return status === 200;
  };
  // Codes are unique, also among several loads.
  const run = Date.now();
  for (let n = 1; !input.readableEnded; n += 1) {
    const code = `load-${run}-${n}`;
    if (await ask(insert(by, made, code))) made.codes.push(code);
    await ask(chat(by, made));
    await sleep(PAUSE_MS);
  }
  writeFileSync(file, JSON.stringify(made));
  process.stdout.write(JSON.stringify(sent));
}

/** The API key gets a new value. */
async function rotateKey(): Promise<void> {
  const made = JSON.parse(readFileSync(file, 'utf8')) as CreatedResources;
  const by = await owner();
  const rotated = dataOf(await by.post(`/api-keys/${made.apiKeyId}/rotate`, { graceSeconds: 0 }), 200);
  writeFileSync(file, JSON.stringify({ ...made, apiKey: String(rotated['key']) }));
}

async function service(): Promise<void> {
  const { agentId } = JSON.parse(readFileSync(file, 'utf8')) as CreatedResources;
  await companyService(await owner(), agentId, dataOf);
}

const actions: Record<string, (() => Promise<void>) | undefined> = {
  make,
  check,
  service,
  load,
  'rotate-key': rotateKey,
};

void actions[action]?.().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
