import { invalid } from '@switchyard/kernel';

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const NAME = new RegExp(`^(?:\\*\\.)?${LABEL}(?:\\.${LABEL})*$`);

/** The hosts of a secret as they are stored: lower case, each once. Refuses what could never match. */
export function normalHosts(hosts: readonly string[]): string[] {
  return [...new Set(hosts.map((host, at) => normalHost(host.trim().toLowerCase(), `hosts[${at}]`)))];
}

function normalHost(host: string, path: string): string {
  const [, bracketed, bare = '', port] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d{1,5}))?$/.exec(host) ?? [];
  const isPort = port === undefined || (Number(port) > 0 && Number(port) < 65_536);
  const suffix = port === undefined ? '' : `:${Number(port)}`;
  if (isPort && bracketed !== undefined && isIpv6(bracketed)) return `[${ipv6(bracketed)}]${suffix}`;
  if (isPort && NAME.test(bare) && bare.length <= 253) {
    requireOwnSpelling(bare, path);
    return `${bare}${suffix}`;
  }
  if (isIpv6(host)) return `[${ipv6(host)}]`;
  throw invalid(path, 'must be a host name, *.example.com or an IP address, with an optional :port');
}

/** Requests are compared by what their address is read as: 0x7f.1 and 2130706433 are 127.0.0.1. */
function requireOwnSpelling(bare: string, path: string): void {
  const name = bare.replace(/^\*\./, '');
  const url = `http://${name}/`;
  const read = URL.canParse(url) ? new URL(url).hostname : null;
  if (read === null) throw invalid(path, 'ends in a number, as an IP address does, and is none');
  if (read !== name) throw invalid(path, `must be written as ${read}: that is the address that it means`);
  if (name !== bare && IPV4.test(name))
    throw invalid(path, 'must not be an IP address behind *: it has no names below it');
}

const IPV4 = /^\d+(\.\d+){3}$/;
const isIpv6 = (text: string): boolean => text.includes(':') && URL.canParse(`http://[${text}]/`);
const ipv6 = (text: string): string => new URL(`http://[${text}]/`).hostname.slice(1, -1);

/**
 * Whether a secret could be sent somewhere that it could not be sent to before. Without this check, everybody who may
 * change the list could read the value by adding a host of their own.
 */
export function widensHosts(before: readonly string[], after: readonly string[]): boolean {
  if (before.length === 0) return false;
  return after.length === 0 || after.some((entry) => !before.some((existing) => covers(existing, entry)));
}

function covers(existing: string, entry: string): boolean {
  const [knownName, knownPort] = parted(existing);
  const [name, port] = parted(entry);
  if (knownPort !== undefined && knownPort !== port) return false;
  // `*.example.com` are the names below it, and so is `*.a.example.com`.
  return name === knownName || (knownName.startsWith('*.') && name.endsWith(knownName.slice(1)));
}

function parted(entry: string): [name: string, port?: string] {
  const [, name = entry, port] = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  return port === undefined ? [name] : [name, port];
}
