import { type MsgHdrs, type NatsConnection, connect, headers, nkeyAuthenticator } from 'nats';

interface BareUser {
  /** Of the account. */
  id: string;
  seed: string;
  /** Where replies arrive; the inbox of the account unless given. */
  inboxPrefix?: string;
}

/** The plain client library, as the baseline for measurements; with a user, as a service of a company has it. */
export const bareClient = (natsUrl: string, user?: BareUser): Promise<NatsConnection> =>
  connect({
    servers: natsUrl,
    ...(user && {
      authenticator: nkeyAuthenticator(new TextEncoder().encode(user.seed)),
      inboxPrefix: user.inboxPrefix ?? `_INBOX.${user.id}`,
    }),
  });

export function bareHeaders(given: Readonly<Record<string, string>>): MsgHdrs {
  const all = headers();
  for (const [name, value] of Object.entries(given)) all.set(name, value);
  return all;
}
