import { rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { StopSentence } from '../launcher/stop-sentence';

const TIMEOUT_MS = 30_000;

export const accountUsages = [
  'create --name NAME --scopes A,B [--space ID] [--applications A,B] [--role MEMBER] [--out FILE]',
  'list [--space ID]',
  'rotate NAME [--space ID] [--grace SECONDS] [--out FILE]',
  'revoke NAME [--space ID]',
];

interface Account {
  id: string;
  name: string;
  role: string;
  status: string;
  publicKey: string;
  admittedAt: string | null;
  seed?: string;
}

const OPTIONS = {
  space: { type: 'string' },
  name: { type: 'string' },
  scopes: { type: 'string' },
  applications: { type: 'string' },
  role: { type: 'string' },
  grace: { type: 'string' },
  out: { type: 'string' },
} as const;

type AccountOptions = { [Name in keyof typeof OPTIONS]?: string };

export const isAccountCommand = (name: string | undefined): name is 'create' | 'list' | 'rotate' | 'revoke' =>
  name === 'create' || name === 'list' || name === 'rotate' || name === 'revoke';

/** Accounts of a Space, over its routes. */
export async function runAccountCommand(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values, positionals } = parse(args);
  const call = caller(env);
  const space = values.space ?? (await ownSpace(call));
  const path = `/spaces/${encodeURIComponent(space)}/nats-accounts`;
  if (command === 'list') {
    for (const { name, id, role, status } of await accountsOf(call, path)) print(`${name}\t${id}\t${role}\t${status}`);
  } else if (command === 'create') {
    const body = newAccount(values);
    await showInto(values.out, () => call<Account>('POST', path, body));
  } else {
    const [name = ''] = positionals;
    const account = (await accountsOf(call, path)).find((each) => each.name === name && each.status === 'ACTIVE');
    if (!account) throw new StopSentence(`The Space has no active account named "${name}".`);
    if (command === 'revoke')
      print(`${name}: ${(await call<Account>('POST', `${path}/${account.id}/revoke`, {})).status}`);
    else {
      const grace = values.grace === undefined ? {} : { graceSeconds: Number(values.grace) };
      await showInto(values.out, () => call<Account>('POST', `${path}/${account.id}/rotate`, grace));
    }
  }
}

type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

function parse(args: string[]): { values: AccountOptions; positionals: string[] } {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new StopSentence(error instanceof Error ? error.message : String(error));
  }
}

function newAccount({ name, scopes, applications, role }: AccountOptions): object {
  if (name === undefined || scopes === undefined) throw new StopSentence('create needs --name and --scopes.');
  return {
    name,
    scopes: scopes.split(','),
    ...(role === undefined ? {} : { role }),
    ...(applications === undefined ? {} : { limits: { applications: applications.split(',') } }),
  };
}

function caller(env: NodeJS.ProcessEnv): Call {
  const key = env['SWITCHYARD_KEY'];
  if (!key) throw new StopSentence('SWITCHYARD_KEY is not set: it must be a credential of an ADMIN of the Space.');
  const url = env['SWITCHYARD_URL'] || `http://127.0.0.1:${env['GATEWAY_PORT'] || '3000'}`;
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new StopSentence(`${url} does not answer: ${String(error)}`);
    });
    const reply = (await answer.json().catch(() => ({}))) as { message?: string; data?: T };
    if (!answer.ok || reply.data === undefined) throw new StopSentence(`${answer.status} ${reply.message ?? ''}`);
    return reply.data;
  };
}

async function ownSpace(call: Call): Promise<string> {
  const { space } = await call<{ space: { id: string } | null }>('GET', '/auth/me');
  if (space === null) throw new StopSentence('This credential names no Space: add --space.');
  return space.id;
}

/** At most a hundred are active. */
const accountsOf = (call: Call, path: string): Promise<Account[]> =>
  call<Account[]>('GET', `${path}?limit=100&status=ACTIVE`);

/** The file is made first: a seed that cannot be written would be lost. */
async function showInto(out: string | undefined, make: () => Promise<Account>): Promise<void> {
  if (out !== undefined) writeFileSync(out, '', { mode: 0o600, flag: 'wx' });
  try {
    show(await make(), out);
  } catch (error) {
    if (out !== undefined) rmSync(out, { force: true });
    throw error;
  }
}

function show({ name, id, publicKey, admittedAt, seed }: Account, out: string | undefined): void {
  print(`${name}\t${id}\t${publicKey}`);
  if (admittedAt === null) print('The NATS server has not loaded the user yet.');
  if (seed === undefined) return;
  if (out === undefined) print(`Seed, shown this once: ${seed}`);
  else writeFileSync(out, `${seed}\n`);
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
