import { AnyContract, SERVICES, ServiceName, allContracts, natsSubject, ownerOf } from '@switchyard/contracts';
import { inboxPrefix, partsPrefix } from './transport/connect-options';
import { confirmSubject } from './events/outbox-runner';
import { MIGRATION } from './events/create-jetstream-streams';
import { EVENTS_STREAM, FRAMES_STREAM, durableName } from './transport/stream-and-consumer-definitions';

const STREAMS = [EVENTS_STREAM, FRAMES_STREAM];

export interface Permissions {
  publish: string[];
  subscribe: string[];
}

interface Grant extends Permissions {
  peers: Set<string>;
}

function grantCall(
  grant: Grant,
  service: string,
  contract: { subject: string; callers: readonly string[] },
  subject: string,
): void {
  const owner = ownerOf(contract);
  if (contract.callers.includes(service)) {
    grant.publish.push(subject);
    grant.peers.add(owner);
  }
  if (owner === service) {
    grant.subscribe.push(subject);
    for (const caller of contract.callers) {
      grant.publish.push(`${inboxPrefix(caller)}.>`);
      grant.peers.add(caller);
    }
  }
}

function grantEvent(grant: Grant, service: string, contract: Extract<AnyContract, { kind: 'event' }>): void {
  if (contract.source === service) {
    grant.publish.push(natsSubject(contract));
  }
  if (!contract.consumers.includes(service as ServiceName)) return;
  const durable = durableName(service, contract.name);
  grant.publish.push(
    confirmSubject(contract.source),
    // The server checks the consumer's filter against this subject.
    `$JS.API.CONSUMER.CREATE.${EVENTS_STREAM}.${durable}.${natsSubject(contract)}`,
    `$JS.API.CONSUMER.INFO.${EVENTS_STREAM}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${EVENTS_STREAM}.${durable}`,
    `$JS.ACK.${EVENTS_STREAM}.${durable}.>`,
  );
}

/** Version 0.1 of agent and gateway reads frames with these. Remove in the next version. */
const FRAMES_CALLS_OF_PREVIOUS_VERSION: readonly string[] = [`$JS.API.CONSUMER.CREATE.${FRAMES_STREAM}`];

/** The agent writes and reads turn frames, the gateway reads them. */
function grantFrames(grant: Grant, service: string): void {
  if (service !== 'agent' && service !== 'gateway') return;
  if (service === 'agent') grant.publish.push('frames.>');
  grant.publish.push(
    `$JS.API.CONSUMER.CREATE.${FRAMES_STREAM}.*.frames.>`,
    ...FRAMES_CALLS_OF_PREVIOUS_VERSION,
    `$JS.API.CONSUMER.INFO.${FRAMES_STREAM}.>`,
    `$JS.API.CONSUMER.MSG.NEXT.${FRAMES_STREAM}.>`,
    `$JS.API.CONSUMER.DELETE.${FRAMES_STREAM}.>`,
    `$JS.API.STREAM.MSG.GET.${FRAMES_STREAM}`,
    `$JS.ACK.${FRAMES_STREAM}.>`,
    '$JS.FC.>',
  );
}

/** Stream purges: the event bus for events, the agent for frames. */
function grantSpace(grant: Grant, service: string): void {
  if (service === 'event-bus')
    grant.publish.push(`$JS.API.CONSUMER.LIST.${EVENTS_STREAM}`, `$JS.API.STREAM.PURGE.${EVENTS_STREAM}`);
  if (service === 'agent') grant.publish.push(`$JS.API.STREAM.PURGE.${FRAMES_STREAM}`);
}

/** NATS permissions of a service, derived from the contracts: the server refuses undeclared subjects. */
export function permissionsOf(service: ServiceName, contracts: readonly AnyContract[] = allContracts()): Permissions {
  const grant: Grant = {
    publish: [],
    subscribe: [`${inboxPrefix(service)}.>`, confirmSubject(service)],
    peers: new Set(),
  };
  for (const contract of contracts) {
    switch (contract.kind) {
      case 'call':
      case 'stream':
        grantCall(grant, service, contract, natsSubject(contract));
        break;
      case 'event':
        grantEvent(grant, service, contract);
        break;
      case 'signal':
        if (contract.senders.includes(service)) grant.publish.push(natsSubject(contract));
        if (contract.hearers.includes(service)) grant.subscribe.push(natsSubject(contract));
    }
  }
  // The sender of a large message sends its chunks to the receiver.
  for (const peer of grant.peers) grant.publish.push(`ctl.${peer}.*`, `part.${peer}.*`, `${partsPrefix(peer)}.>`);
  grant.subscribe.push(`ctl.${service}.*`, `part.${service}.*`, `${partsPrefix(service)}.>`);
  // Replicas may probe each other.
  grant.publish.push(`${inboxPrefix(service)}.>`, `ctl.${service}.*`);
  // Read only: a service that creates or changes a stream could capture any subject.
  grant.publish.push(...STREAMS.map((stream) => `$JS.API.STREAM.INFO.${stream}`), '$JS.API.INFO');
  grantSpace(grant, service);
  grantFrames(grant, service);
  return { publish: [...new Set(grant.publish)].sort(), subscribe: [...new Set(grant.subscribe)].sort() };
}

export interface NatsServerOptions {
  host: string;
  port: number;
  storeDir: string;
  /** Public nkeys by service. */
  users: Readonly<Record<ServiceName, string>>;
  /** Public nkeys accepted beside those, with the same permissions: while users are rotated. */
  otherUsers?: Readonly<Partial<Record<ServiceName, readonly string[]>>>;
  /** Public nkey of operators who maintain the streams. */
  operator?: string;
  /** Public nkey of the migration, which creates and changes streams. */
  migration?: string;
  /** For an upgrade: version 0.1 services create missing streams themselves, so each could capture all messages. */
  servicesMakeStreams?: boolean;
  maxFileStore?: string;
  monitorPort?: number;
}

/**
 * Inspects streams and consumers, and moves leaders and replicas. Nothing else: a user who can create a stream or
 * consumer can capture any subject.
 */
const OPERATOR: Permissions = {
  publish: [
    '$JS.API.INFO',
    ...['NAMES', 'LIST', 'INFO.*', 'LEADER.STEPDOWN.*', 'PEER.REMOVE.*'].map((call) => `$JS.API.STREAM.${call}`),
    ...['NAMES.*', 'LIST.*', 'INFO.*.*', 'LEADER.STEPDOWN.*.*'].map((call) => `$JS.API.CONSUMER.${call}`),
  ],
  subscribe: ['_INBOX.>'],
};

const changesOf = (stream: string): string[] => ['CREATE', 'UPDATE'].map((call) => `$JS.API.STREAM.${call}.${stream}`);

/** Creates and changes the two streams, and receives only the replies to that. */
const MIGRATION_USER: Permissions = {
  publish: ['$JS.API.INFO', ...STREAMS.flatMap((stream) => [`$JS.API.STREAM.INFO.${stream}`, ...changesOf(stream)])],
  subscribe: [`${inboxPrefix(MIGRATION)}.>`],
};

/** The `authorization` block, to include into the configuration of an existing NATS server. */
export function natsAuthorization({
  users,
  otherUsers = {},
  operator,
  migration,
  servicesMakeStreams = false,
}: Pick<NatsServerOptions, 'users' | 'otherUsers' | 'operator' | 'migration' | 'servicesMakeStreams'>): string {
  const user = (nkey: string, permissions: object): string =>
    `    { nkey: ${nkey}, permissions: ${JSON.stringify(permissions)} }`;
  const forPreviousVersion = servicesMakeStreams ? STREAMS.flatMap(changesOf) : [];
  const services = SERVICES.flatMap((service) => {
    const { publish, subscribe } = permissionsOf(service);
    // No `allow_responses`: the server would track each recent reply subject, and scan all of them from 4,096 on.
    const permissions = { publish: { allow: [...publish, ...forPreviousVersion] }, subscribe: { allow: subscribe } };
    return [users[service], ...(otherUsers[service] ?? [])].map((nkey) => user(nkey, permissions));
  });
  const others = [
    ...(migration === undefined ? [] : [user(migration, MIGRATION_USER)]),
    ...(operator === undefined ? [] : [user(operator, OPERATOR)]),
  ];
  return [
    'authorization {',
    // Under load, signing the challenge may take longer than the default of two seconds.
    '  timeout: 20',
    '  users: [',
    [...services, ...others].join(',\n'),
    '  ]',
    '}',
    '',
  ].join('\n');
}

/** Configuration of the NATS server, including permissions. */
export function natsServerConfig(options: NatsServerOptions): string {
  return [
    `host: ${JSON.stringify(options.host)}`,
    `port: ${options.port}`,
    ...(options.monitorPort ? [`http: ${JSON.stringify(`${options.host}:${options.monitorPort}`)}`] : []),
    'max_payload: 1048576',
    'ping_interval: "10s"',
    'ping_max: 2',
    `jetstream { store_dir: ${JSON.stringify(options.storeDir)}, max_memory_store: 64MB, max_file_store: ${options.maxFileStore ?? '8GB'} }`,
    natsAuthorization(options),
  ].join('\n');
}
