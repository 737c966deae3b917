// Work of a Space inside the box's network, while secrets are rotated. Takes a command a line, and answers with a line.
import { createInterface } from 'node:readline';
import { Client, signIn, until } from '@switchyard/testing';
import { connect, nkeyAuthenticator } from 'nats';
import { createOperator, createSpace } from '../../libs/testing/src/space';
import { RotationLoad } from '../../tools/secrets/test/rotation-load';

const HOST = 'http://127.0.0.1:3000';
const PATIENCE = { timeoutMs: 120_000, everyMs: 500 };
const { OWNER_EMAIL: email = '', OWNER_PASSWORD: password = '' } = process.env;

interface OperatorKey {
  id: string;
  createdAt: string;
  scopes: string[];
}

/** True if the server accepts this seed of a NATS user, false if it refuses it. */
async function natsAccepts([servers = '', seed = '']: string[]): Promise<boolean> {
  const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed));
  try {
    await (await connect({ servers, authenticator, reconnect: false })).close();
    return true;
  } catch (error) {
    if (error instanceof Error && /authorization/iu.test(error.message)) return false;
    throw error;
  }
}

/** The owner changes the password: the old one is refused, the new one is accepted. */
async function changeOwnerPassword([next = '']: string[]): Promise<boolean> {
  const by = await signIn(new Client(HOST, null), email, password);
  const changed = await by.post('/auth/password', { currentPassword: password, newPassword: next });
  if (changed.status !== 200) throw new Error(`${changed.status}: ${JSON.stringify(changed.body)}`);
  await signIn(by.as(null), email, next);
  const old = await by.as(null).post('/auth/login', { email, password });
  return old.status === 401;
}

/** Revokes the older keys of `nats-accounts`, and returns their number. */
async function revokeOldOperatorKey(): Promise<number> {
  const by = await signIn(new Client(HOST, null), email, password);
  const reply = await by.get('/operator/keys?status=ACTIVE&limit=100');
  const { data } = reply.body as { data: OperatorKey[] };
  const keys = data.filter(({ scopes }) => scopes.join() === 'operator:nats');
  const [, ...old] = keys.sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  for (const { id } of old) await by.post(`/operator/keys/${id}/revoke`, {});
  return old.length;
}

async function main(): Promise<void> {
  const owner = await until(() => signIn(new Client(HOST, null), email, password), PATIENCE);
  const operator = await createOperator(owner);
  const platform = { url: HOST, newSpace: (name?: string) => createSpace(operator, name) };
  const load = await RotationLoad.start(platform, { oneReplica: true });
  const actions: Record<string, (words: string[]) => Promise<unknown>> = {
    more: () => load.more(),
    'rotate-keys': () => load.rotateKeys(),
    finish: async () => {
      await load.finish();
      return load.executions;
    },
    'nats-accepts': natsAccepts,
    'owner-password': changeOwnerPassword,
    'revoke-old-operator-key': revokeOldOperatorKey,
  };
  for await (const line of createInterface(process.stdin)) {
    const [action = '', ...words] = line.split(' ');
    const result = await actions[action]?.(words);
    const { wrong, interrupted, served } = load;
    process.stdout.write(`${JSON.stringify({ result, wrong, interrupted, served })}\n`);
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
