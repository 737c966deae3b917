import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, createInbox, nkeyAuthenticator } from 'nats';

const WITHIN_MS = 60_000;
const EVERY_MS = 1_000;

interface TrialAccount {
  id: string;
  seed: string;
  admittedAt: string | null;
}

type ApiCall = <T>(method: 'GET' | 'POST', path: string, body?: object) => Promise<T>;

/** An account of the owner's Space, whose user the server gets, and which the platform answers over that server. */
export async function tryNats(call: ApiCall, url: string): Promise<string> {
  const { space } = await call<{ space: { id: string } | null }>('GET', '/auth/me');
  if (!space) throw new Error('the owner has no Space');
  const accounts = `/spaces/${space.id}/nats-accounts`;
  const name = `release-test-${randomBytes(4).toString('hex')}`;
  const account = await call<TrialAccount>('POST', accounts, { name, scopes: ['agents:read'] });
  try {
    await untilAdmitted(() => call<TrialAccount>('GET', `${accounts}/${account.id}`));
    return await ping(url, account);
  } finally {
    await call('POST', `${accounts}/${account.id}/revoke`, {});
  }
}

async function untilAdmitted(read: () => Promise<TrialAccount>): Promise<void> {
  const end = Date.now() + WITHIN_MS;
  while ((await read()).admittedAt === null) {
    if (Date.now() > end) throw new Error('the NATS server did not get the user of a new account: see the container accounts of nats-services');
    await sleep(EVERY_MS);
  }
}

async function ping(url: string, { id, seed }: TrialAccount): Promise<string> {
  const nats = await connect({
    servers: url,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    ...(url.startsWith('tls://') ? { tls: {} } : {}),
    timeout: WITHIN_MS,
  });
  try {
    const options = { timeout: WITHIN_MS, noMux: true, reply: createInbox(`_INBOX.${id}`) };
    const status = (await nats.request(`switchyard.v1.${id}.ping`, '', options)).headers?.get('Switchyard-Status');
    if (status !== '200') throw new Error(`a ping over NATS answers ${status ?? 'without a status'}`);
    return 'The NATS API answers.';
  } finally {
    await nats.close();
  }
}
