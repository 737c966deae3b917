import { SERVICES, ServiceName, allContracts, natsSubject } from '@switchyard/contracts';
import { permissionsOf } from '@switchyard/messaging';
import { until, usePlatform } from '@switchyard/testing';
import { connect as openSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Events, NatsConnection, connect, nkeyAuthenticator } from 'nats';

const platform = usePlatform();
/** Longer than the server's default of two seconds, and well below ours. */
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

/** Whether a subject (with wildcards) is covered by an allowed one. */
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

interface Login {
  connection: NatsConnection;
  /** Refusals of NATS, as `<operation> <subject>`. */
  denied: Set<string>;
}

const connectAs = (service: ServiceName): Promise<Login> =>
  connectWith(platform.state.secrets.services[service]?.nats.seed ?? '', service);

async function connectWith(seed: string, user: string): Promise<Login> {
  const connection = await connect({
    servers: platform.state.natsUrl,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    inboxPrefix: `_INBOX_${user}`,
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
    // Undeclared publishes are refused; declared ones are not tried, as the platform would process them.
    const undeclared = probes().filter((subject) => !subject.includes('>') && !isAllowed(allowed.publish, subject));
    for (const subject of undeclared) connection.publish(subject, 'probe');
    await connection.flush();
    const attempted = [
      ...probes()
        .filter((subject) => !isAllowed(allowed.subscribe, subject))
        .map((subject) => `subscription ${subject}`),
      ...undeclared.map((subject) => `publish ${subject}`),
    ];
    await until(() => attempted.every((entry) => denied.has(entry))).catch(() => undefined);
    expect(attempted.filter((entry) => !denied.has(entry))).toEqual([]);
    expect([...denied].filter((entry) => !attempted.includes(entry))).toEqual([]);
    await connection.close();
  });
});

/** JetStream operations on another service's resources. */
const attempts = (service: ServiceName): [what: string, subject: string, body: object][] => {
  const allowed = permissionsOf(service).publish;
  const foreign = allContracts().find(
    (contract) => contract.kind === 'event' && !contract.consumers.includes(service) && contract.source !== service,
  );
  const filter = foreign ? natsSubject(foreign) : 'event.>';
  const durable = allowed
    .map((subject) => /^\$JS\.API\.CONSUMER\.CREATE\.EVENTS\.([^.]+)\./.exec(subject)?.[1])
    .find((name) => name !== undefined);
  const own = durable ?? 'probe';
  const consumer = { durable_name: own, filter_subject: filter, ack_policy: 'explicit', deliver_policy: 'all' };
  const stream = (name: string, subjects: string[]): object => ({ name, subjects, storage: 'memory', num_replicas: 1 });
  const all: [string, string, object][] = [
    ['a stream of its own', 'STREAM.CREATE.PROBE', stream('PROBE', ['probe.>'])],
    ['a stream over the calls of others', 'STREAM.CREATE.PROBE', stream('PROBE', ['auth.>', '_INBOX_gateway.>'])],
    ['a stream of events with other subjects', 'STREAM.CREATE.EVENTS', stream('EVENTS', ['>'])],
    ['more subjects for the stream of events', 'STREAM.UPDATE.EVENTS', stream('EVENTS', ['event.>', 'auth.>'])],
    ['more subjects for the stream of frames', 'STREAM.UPDATE.FRAMES', stream('FRAMES', ['frames.>', 'auth.>'])],
    ['the end of a stream', 'STREAM.DELETE.EVENTS', {}],
    ['a message of the stream of events', 'STREAM.MSG.GET.EVENTS', { seq: 1 }],
    ['the end of a message', 'STREAM.MSG.DELETE.EVENTS', { seq: 1 }],
    ['a copy of a stream', 'STREAM.SNAPSHOT.EVENTS', { deliver_subject: 'probe' }],
    ['all streams', 'STREAM.LIST', {}],
    [
      'a consumer without a filter',
      'CONSUMER.CREATE.EVENTS',
      { stream_name: 'EVENTS', config: { ack_policy: 'none' } },
    ],
    ['a durable of the old form', `CONSUMER.DURABLE.CREATE.EVENTS.${own}`, { stream_name: 'EVENTS', config: consumer }],
    [
      `events of others (${filter})`,
      `CONSUMER.CREATE.EVENTS.${own}.${filter}`,
      { stream_name: 'EVENTS', config: consumer },
    ],
    ['all events', `CONSUMER.CREATE.EVENTS.${own}.event.>`, { stream_name: 'EVENTS', config: consumer }],
    ...(service === 'agent' || service === 'gateway'
      ? []
      : ([
          ['the frames of turns', 'CONSUMER.CREATE.FRAMES.probe.frames.>', { stream_name: 'FRAMES', config: {} }],
          ['a stored frame', 'STREAM.MSG.GET.FRAMES', { seq: 1 }],
        ] as [string, string, object][])),
    ...(service === 'event-bus'
      ? []
      : ([['an empty stream', 'STREAM.PURGE.EVENTS', {}]] as [string, string, object][])),
    ...(service === 'agent' ? [] : ([['no frames', 'STREAM.PURGE.FRAMES', {}]] as [string, string, object][])),
  ];
  return all.map(([what, subject, body]) => [what, `$JS.API.${subject}`, body]);
};

describe.each(SERVICES)('with the NATS login of %s alone', (service) => {
  test('no stream is made or changed, and no foreign subject is read', async () => {
    const { connection, denied } = await connectAs(service);
    const attempted = attempts(service);
    for (const [, subject, body] of attempted)
      connection.publish(subject, JSON.stringify(body), { reply: `_INBOX_${service}.probe` });
    await connection.flush();
    const open = (): string[] =>
      attempted.filter(([, subject]) => !denied.has(`publish ${subject}`)).map(([what]) => what);
    await until(() => open().length === 0).catch(() => undefined);
    expect(open()).toEqual([]);
    await connection.close();
  });
});

test.each(SERVICES)('%s may look at both streams', async (service) => {
  const { connection } = await connectAs(service);
  const { streams } = await connection.jetstreamManager({ checkAPI: false });
  for (const name of ['EVENTS', 'FRAMES']) expect((await streams.info(name)).config.name).toBe(name);
  await connection.close();
});

test('the server holds a consumer to the filter that the permission names', async () => {
  const { connection } = await connectAs('task');
  const own = permissionsOf('task').publish.find((subject) => subject.startsWith('$JS.API.CONSUMER.CREATE.EVENTS.'));
  const name = own?.split('.')[5] ?? '';
  const config = { durable_name: name, filter_subject: 'event.>', ack_policy: 'explicit', deliver_policy: 'all' };
  const body = JSON.stringify({ stream_name: 'EVENTS', config });
  const reply = (await connection.request(own ?? '', body)).json<{ error?: { description: string } }>();
  expect(reply.error?.description).toMatch(/filter/i);
  await connection.close();
});

test("the migration's login makes and changes the two streams, and hears and reads nothing", async () => {
  const { connection, denied } = await connectWith(platform.state.secrets.natsMigration.seed, 'migration');
  const { streams } = await connection.jetstreamManager({ checkAPI: false });
  const { config } = await streams.info('EVENTS');
  expect(await streams.update('EVENTS', config)).toMatchObject({ config: { subjects: ['event.>'] } });
  const subscribed = ['>', 'event.>', '_INBOX_gateway.>', natsSubject(allContracts()[0] as never)];
  for (const subject of subscribed) connection.subscribe(subject, { callback: () => undefined });
  const published = ['STREAM.CREATE.PROBE', 'STREAM.DELETE.EVENTS', 'STREAM.PURGE.EVENTS', 'CONSUMER.CREATE.EVENTS'];
  for (const call of published) connection.publish(`$JS.API.${call}`, '{}');
  const attempted = [
    ...subscribed.map((subject) => `subscription ${subject}`),
    ...published.map((call) => `publish $JS.API.${call}`),
  ];
  await until(() => attempted.every((entry) => denied.has(entry)));
  await connection.close();
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
