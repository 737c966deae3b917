import { KeyCalls, natsSubject } from '@switchyard/contracts';
import { until, usePlatform } from '@switchyard/testing';
import { connect, nkeyAuthenticator } from 'nats';

const platform = usePlatform();

/** The login of the receiver gets what a stream over its subjects would store. */
test('a password is not readable on the bus', async () => {
  const space = await platform.newSpace();
  const password = `canary ${Math.random()} password`;
  const email = `canary-${Math.random()}@test.example`;
  const seed = platform.state.secrets.services['key']?.nats.seed ?? '';
  const connection = await connect({
    servers: platform.state.natsUrl,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    inboxPrefix: '_INBOX_key',
  });
  const messages: string[] = [];
  for (const contract of [KeyCalls.login, KeyCalls.addMember])
    connection.subscribe(natsSubject(contract), {
      callback: (_, message) => messages.push(message.string()),
    });
  await connection.flush();
  try {
    const added = await space.owner.post(`/spaces/${space.id}/members`, { email, role: 'MEMBER', password });
    expect(added.status).toBe(201);
    const login = await platform.anonymous.post('/auth/login', { email, password });
    expect(login.status).toBe(200);
    // Other files sign in at the same time.
    await until(() => messages.filter((message) => message.includes(email)).length === 2);
    expect(messages.filter((message) => message.includes(password))).toEqual([]);
  } finally {
    await connection.close();
  }
});
