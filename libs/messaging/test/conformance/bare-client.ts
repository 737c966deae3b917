import { type MsgHdrs, type NatsConnection, connect, headers, nkeyAuthenticator } from 'nats';

/** The plain client library, as the baseline for measurements; with an account, as a service of a company has it. */
export const bareClient = (natsUrl: string, account?: { id: string; seed: string }): Promise<NatsConnection> =>
  connect({
    servers: natsUrl,
    ...(account && {
      authenticator: nkeyAuthenticator(new TextEncoder().encode(account.seed)),
      inboxPrefix: `_INBOX.${account.id}`,
    }),
  });

export function bareHeaders(given: Readonly<Record<string, string>>): MsgHdrs {
  const all = headers();
  for (const [name, value] of Object.entries(given)) all.set(name, value);
  return all;
}
