import { SERVICES, ServiceName, allContracts, natsSubject } from '@switchyard/contracts';
import { permissionsOf } from '@switchyard/messaging';
import { until, usePlatform } from '@switchyard/testing';
import { connect as openSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Events, NatsConnection, connect, nkeyAuthenticator } from 'nats';

const platform = usePlatform();
/** Longer than the two seconds that the server gives by itself, and far from what ours gives. */
const BUSY_MS = 4_000;

const FOREIGN = [
  '>',
  '$SYS.>',
  '$JS.API.>',
  '$JS.API.STREAM.DELETE.EVENTS',
  '$JS.API.STREAM.PURGE.EVENTS',
  '$JS.API.STREAM.UPDATE.EVENTS',
  'rpc.>',
  'event.>',
  'signal.>',
  '_INBOX.>',
];

/** Whether a subject (with wildcards) lies wholly inside one of the allowed ones. */
function covers(allowed: string, subject: string): boolean {
  const pattern = allowed.split('.');
  const tokens = subject.split('.');
  for (let i = 0; i < pattern.length; i += 1) {
    if (pattern[i] === '>') return tokens.length > i;
    if (tokens[i] === undefined || tokens[i] === '>') return false;
    if (pattern[i] !== '*' && pattern[i] !== tokens[i]) return false;
  }
  return pattern.length === tokens.length;
}

const isAllowed = (list: readonly string[], subject: string): boolean =>
  list.some((allowed) => covers(allowed, subject));

const probes = (): string[] => [
  ...new Set([
    ...allContracts().map(natsSubject),
    ...SERVICES.flatMap((service) => [
      `_INBOX_${service}.>`,
      `ctl.${service}.x`,
      `part.${service}.x`,
      `parts-for.${service}.x`,
      `confirm.${service}`,
    ]),
    ...FOREIGN,
  ]),
];

async function connectAs(service: ServiceName): Promise<{ connection: NatsConnection; denied: Set<string> }> {
  const seed = platform.state.secrets.services[service]?.nats.seed ?? '';
  const connection = await connect({
    servers: platform.state.natsUrl,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    inboxPrefix: `_INBOX_${service}`,
  });
  const denied = new Set<string>();
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === Events.Error && status.permissionContext) {
        denied.add(`${status.permissionContext.operation} ${status.permissionContext.subject}`);
      }
    }
  })();
  return { connection, denied };
}

describe.each(SERVICES)('the NATS user of %s', (service) => {
  test('hears and says exactly what its contracts declare', async () => {
    const allowed = permissionsOf(service);
    const { connection, denied } = await connectAs(service);
    for (const subject of probes()) connection.subscribe(subject, { callback: () => undefined });
    // An undeclared publish is refused; declared ones are not tried, because the platform would take them for real.
    const undeclared = probes().filter((subject) => !subject.includes('>') && !isAllowed(allowed.publish, subject));
    for (const subject of undeclared) connection.publish(subject, 'probe');
    await connection.flush();
    const wanted = [
      ...probes()
        .filter((subject) => !isAllowed(allowed.subscribe, subject))
        .map((subject) => `subscription ${subject}`),
      ...undeclared.map((subject) => `publish ${subject}`),
    ];
    await until(() => wanted.every((entry) => denied.has(entry))).catch(() => undefined);
    expect(wanted.filter((entry) => !denied.has(entry))).toEqual([]);
    expect([...denied].filter((entry) => !wanted.includes(entry))).toEqual([]);
    await connection.close();
  });
});

test('a client on a busy machine may take seconds to show its credential', async () => {
  const { hostname, port } = new URL(platform.state.natsUrl);
  const socket = openSocket(Number(port), hostname);
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve('closed')));
  const silence = sleep(BUSY_MS, 'open');
  expect(await Promise.race([closed, silence])).toBe('open');
  socket.destroy();
});

test('a stranger does not get in', async () => {
  await expect(connect({ servers: platform.state.natsUrl, maxReconnectAttempts: 0 })).rejects.toThrow(/authorization/i);
});
