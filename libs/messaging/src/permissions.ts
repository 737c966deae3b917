import { AnyContract, SERVICES, ServiceName, allContracts, natsSubject, ownerOf } from '@switchyard/contracts';
import { inboxPrefix, partsPrefix } from './transport/connect-options';
import { confirmSubject } from './events/outbox-runner';
import { MIGRATION } from './events/prepare-streams';
import { EVENTS_STREAM, FRAMES_STREAM, durableName } from './transport/topology';

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
    // The server holds a consumer to the filter in this subject.
    `$JS.API.CONSUMER.CREATE.${EVENTS_STREAM}.${durable}.${natsSubject(contract)}`,
    `$JS.API.CONSUMER.INFO.${EVENTS_STREAM}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${EVENTS_STREAM}.${durable}`,
    `$JS.ACK.${EVENTS_STREAM}.${durable}.>`,
  );
}

/** Agents and gateways of version 0.1 read frames with these. They go with the next version: empty the list. */
const FRAMES_CALLS_OF_PREVIOUS_VERSION: readonly string[] = [`$JS.API.CONSUMER.CREATE.${FRAMES_STREAM}`];

/** Only these two speak of a turn's frames: the agent writes and reads them, the gateway reads. */
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

/** Who frees the space of a stream: the event bus that of events, the agent that of frames. */
function grantSpace(grant: Grant, service: string): void {
  if (service === 'event-bus')
    grant.publish.push(`$JS.API.CONSUMER.LIST.${EVENTS_STREAM}`, `$JS.API.STREAM.PURGE.${EVENTS_STREAM}`);
  if (service === 'agent') grant.publish.push(`$JS.API.STREAM.PURGE.${FRAMES_STREAM}`);
}

/** What a service may say and hear, read off the contracts: an undeclared subject is refused by the server. */
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
  // The sender of a large message answers the service that fetches its parts.
  for (const peer of grant.peers) grant.publish.push(`ctl.${peer}.*`, `part.${peer}.*`, `${partsPrefix(peer)}.>`);
  grant.subscribe.push(`ctl.${service}.*`, `part.${service}.*`, `${partsPrefix(service)}.>`);
  // Replicas of one service may look whether the others are still there.
  grant.publish.push(`${inboxPrefix(service)}.>`, `ctl.${service}.*`);
  // Looks at streams, and neither makes nor changes one: its subjects could be those of others.
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
  /** The public nkey of people who look after the streams. */
  operator?: string;
  /** The public nkey of the migration, which makes and changes the streams. */
  migration?: string;
  /** For an upgrade: services of version 0.1 make missing streams themselves. Each could then capture all messages. */
  servicesMakeStreams?: boolean;
  maxFileStore?: string;
  monitorPort?: number;
}

/**
 * Looks at streams and consumers and moves their leaders and copies. Nothing else of JetStream: who makes a stream or a
 * consumer names the subjects that it captures and delivers to, whatever that user itself may hear and say.
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

/** Makes and changes the two streams, and hears nothing but the answers to that. */
const MIGRATION_USER: Permissions = {
  publish: ['$JS.API.INFO', ...STREAMS.flatMap((stream) => [`$JS.API.STREAM.INFO.${stream}`, ...changesOf(stream)])],
  subscribe: [`${inboxPrefix(MIGRATION)}.>`],
};

/**
 * Who may log in and say what, as a part of its own: the configuration of a NATS that somebody else runs includes it,
 * whatever else stands there.
 */
export function natsAuthorization({
  users,
  operator,
  migration,
  servicesMakeStreams = false,
}: Pick<NatsServerOptions, 'users' | 'operator' | 'migration' | 'servicesMakeStreams'>): string {
  const user = (nkey: string, permissions: object): string =>
    `    { nkey: ${nkey}, permissions: ${JSON.stringify(permissions)} }`;
  const forPreviousVersion = servicesMakeStreams ? STREAMS.flatMap(changesOf) : [];
  const services = SERVICES.map((service) => {
    const { publish, subscribe } = permissionsOf(service);
    // No `allow_responses`: the server would keep where each message of the last seconds may be answered, and from 4,096 of
    // them on look through all of them with each further one.
    return user(users[service], {
      publish: { allow: [...publish, ...forPreviousVersion] },
      subscribe: { allow: subscribe },
    });
  });
  const others = [
    ...(migration === undefined ? [] : [user(migration, MIGRATION_USER)]),
    ...(operator === undefined ? [] : [user(operator, OPERATOR)]),
  ];
  return [
    'authorization {',
    // The usual two seconds are over before a busy machine has signed the challenge.
    '  timeout: 20',
    '  users: [',
    [...services, ...others].join(',\n'),
    '  ]',
    '}',
    '',
  ].join('\n');
}

/** The configuration of the NATS server, permissions included. */
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
