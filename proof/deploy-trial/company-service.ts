import { type Client, type Reply, until } from '@switchyard/testing';
import { connect, createInbox, headers, nkeyAuthenticator } from 'nats';

interface CompanyAccount {
  id: string;
  url: string;
  seed: string;
  admittedAt: string | null;
}

const PATIENCE = { timeoutMs: 120_000, everyMs: 500 };

/**
 * A service of a company, from its account to its end: its user is brought to the second NATS server, a route answers
 * over it, and the server closes its connection once the account is revoked.
 */
export async function companyService(
  by: Client,
  agentId: string,
  dataOf: (reply: Reply, status: number) => Record<string, unknown>,
): Promise<void> {
  const { space } = dataOf(await by.get('/auth/me'), 200) as { space: { id: string } };
  const accounts = `/spaces/${space.id}/nats-accounts`;
  const body = { name: `trial-${Date.now()}`, scopes: ['agents:read'] };
  const account = dataOf(await by.post(accounts, body), 201) as unknown as CompanyAccount;
  const one = `${accounts}/${account.id}`;
  await until(async () => dataOf(await by.get(one), 200)['admittedAt'], PATIENCE);
  const nats = await connect({
    servers: account.url,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(account.seed)),
    reconnect: false,
  });
  try {
    const route = headers();
    route.set('Switchyard-Method', 'GET');
    route.set('Switchyard-Path', '/api/agents');
    const answer = await until(
      () =>
        nats.request(`switchyard.v1.${account.id}.http`, '', {
          headers: route,
          noMux: true,
          reply: createInbox(`_INBOX.${account.id}`),
          timeout: 10_000,
        }),
      PATIENCE,
    );
    const status = answer.headers?.get('Switchyard-Status');
    if (status !== '200') throw new Error(`the list of agents over NATS answers ${status}: ${answer.string()}`);
    if (!answer.string().includes(agentId)) throw new Error('the list of agents over NATS lacks the agent');
    dataOf(await by.post(`${one}/revoke`, {}), 200);
    await until(() => nats.isClosed(), PATIENCE);
  } finally {
    await nats.close();
  }
}
