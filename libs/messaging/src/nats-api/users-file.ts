// Without other imports than the subjects: the launcher uses this file, and stays small.
import { GATEWAY_PERMISSIONS, type NatsApiPermissions, accountPermissions, isNatsAccountId } from './subjects';

export interface NatsApiUser {
  account: string;
  publicKey: string;
}

const PUBLIC_KEY = /^U[A-Z2-7]{55}$/;
const PLATFORM = /^# platform (U[A-Z2-7]{55})$/m;
const REVISION = /^# revision (\d+)$/m;
const USER = /^ {2}\{ nkey: U[A-Z2-7]{55}, /gm;

export const isNatsPublicKey = (text: string): boolean => PUBLIC_KEY.test(text);

function userLine(publicKey: string, { publish, subscribe }: NatsApiPermissions): string {
  const permissions = { publish: { allow: publish }, subscribe: { allow: subscribe } };
  return `  { nkey: ${publicKey}, permissions: ${JSON.stringify(permissions)} }`;
}

// Nothing else of an account is written, and this only in its one form: the file is a program for the server.
const isWritable = ({ account, publicKey }: NatsApiUser): boolean =>
  isNatsAccountId(account) && PUBLIC_KEY.test(publicKey);

/**
 * The users of the server for services, as its configuration includes them. With `platform`, the gateway's own user is
 * the first. An account whose id or public key has another form is left out, so that one damaged record stops no other.
 */
export function usersFile(revision: number, users: readonly NatsApiUser[], platform?: string): string {
  if (platform !== undefined && !PUBLIC_KEY.test(platform))
    throw new Error("The public key of the platform's own user is none.");
  const written = users.filter(isWritable);
  const damaged = users.length - written.length;
  const head = [
    ...(platform === undefined ? [] : [`# platform ${platform}`]),
    ...(damaged === 0 ? [] : [`# left out because their id or public key is damaged: ${damaged}`]),
  ];
  const own = platform === undefined ? [] : [userLine(platform, GATEWAY_PERMISSIONS)];
  const lines = [...own, ...written.map((user) => userLine(user.publicKey, accountPermissions(user.account)))];
  return `${[...head, `# revision ${revision}`, 'users: [', ...lines, ']'].join('\n')}\n`;
}

export interface UsersFileFacts {
  platform: string | null;
  revision: number | null;
  /** Users of accounts. */
  users: number;
}

export function readUsersFile(text: string): UsersFileFacts {
  const platform = PLATFORM.exec(text)?.[1] ?? null;
  const revision = REVISION.exec(text)?.[1];
  const lines = text.match(USER)?.length ?? 0;
  return {
    platform,
    revision: revision === undefined ? null : Number(revision),
    users: lines - (platform === null ? 0 : 1),
  };
}

export interface ServicesServerOptions {
  host: string;
  port: number;
  /** Relative to the folder of the configuration. */
  usersFile: string;
  pidFile?: string;
  /** Of the server's monitoring, which says when it has loaded its configuration. */
  monitorPort?: number;
  tls?: { ca?: string; cert: string; key: string };
}

/**
 * The configuration of the NATS server for services: no JetStream, limits of its own, and the users in a file beside
 * it.
 */
export function servicesServerConfig(options: ServicesServerOptions): string {
  const { host, port, usersFile: file, pidFile, monitorPort, tls } = options;
  const certificates = tls && [
    `cert_file: ${JSON.stringify(tls.cert)}`,
    `key_file: ${JSON.stringify(tls.key)}`,
    ...(tls.ca === undefined ? [] : [`ca_file: ${JSON.stringify(tls.ca)}`]),
  ];
  return [
    'server_name: "nats-services"',
    `host: ${JSON.stringify(host)}`,
    `port: ${port}`,
    ...(pidFile === undefined ? [] : [`pid_file: ${JSON.stringify(pidFile)}`]),
    ...(monitorPort === undefined ? [] : [`http: ${JSON.stringify(`127.0.0.1:${monitorPort}`)}`]),
    'max_payload: 1048576',
    'max_connections: 4096',
    // The gateway has one for each account on its one connection.
    'max_subscriptions: 65536',
    'max_pending: 16777216',
    'write_deadline: "10s"',
    'ping_interval: "10s"',
    'ping_max: 2',
    ...(certificates ? [`tls { ${certificates.join(', ')}, timeout: 10 }`] : []),
    'authorization {',
    '  timeout: 20',
    `  include ${JSON.stringify(file)}`,
    '}',
    '',
  ].join('\n');
}
