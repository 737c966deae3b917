import { AppError, invalid } from '@switchyard/kernel';
import { isPublicAddress, normalAddress } from './ip-address';
import { NAME_MAX } from './name-resolver';

const PRIVATE_NAME =
  /(^|\.)(localhost|localdomain|internal|intranet|local|lan|home|corp|svc|cluster\.local|home\.arpa|test|invalid)$/;

const ALWAYS_OPEN = [80, 443];

/** Where calls to addresses that users give may go. Decides; opens nothing. */
export class EgressPolicy {
  private readonly allowed: ReadonlySet<string>;
  private readonly ports: ReadonlySet<number>;

  /**
   * `allow` lists exact private addresses, each alone or with a port (`127.0.0.1`, `10.0.0.7:8080`, `[::1]:9000`).
   * Alone, all ports of it are open. `ports` are those of public addresses, beside 80 and 443.
   */
  constructor(allow: readonly string[] = [], ports: readonly number[] = []) {
    this.allowed = new Set(allow.map(normalEntry).filter((entry): entry is string => entry !== null));
    this.ports = new Set([...ALWAYS_OPEN, ...ports]);
  }

  /** Reads the comma or space separated forms of the environment. */
  static fromText(text: string | undefined, ports?: string): EgressPolicy {
    return new EgressPolicy(listOf(text), listOf(ports).map(Number));
  }

  /** Whether names may mean private addresses as well. */
  get hasExceptions(): boolean {
    return this.allowed.size > 0;
  }

  permits(address: string, port: number): boolean {
    if (isPublicAddress(address)) return this.ports.has(port);
    const normal = normalAddress(address);
    return normal !== null && (this.allowed.has(normal) || this.allowed.has(`${normal} ${port}`));
  }

  /** The caller learns that the place is out of bounds, never what is there. */
  refusalOf(address: string, port: number, field = 'url'): AppError {
    return isPublicAddress(address) ? this.portRefused(port, field) : refused(field);
  }

  /**
   * Checks that need no DNS: scheme, credentials, literal addresses, conventionally private names, ports. The rest is
   * checked when connecting.
   */
  checkUrl(text: string | URL, field = 'url'): URL {
    let url: URL;
    try {
      url = new URL(text);
    } catch {
      throw invalid(field, 'must be an absolute http or https address');
    }
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw invalid(field, 'must be an http or https address');
    if (url.username !== '' || url.password !== '') throw invalid(field, 'must not carry a user name or a password');
    const host = url.hostname.replace(/\.$/, '').toLowerCase();
    if (host === '') throw invalid(field, 'must name a host');
    if (host.length > NAME_MAX) throw invalid(field, `names a host of more than ${NAME_MAX} characters`);
    const port = portOf(url);
    if (normalAddress(host) !== null) {
      if (!this.permits(host, port)) throw this.refusalOf(host, port, field);
    } else if (!this.hasExceptions) {
      if (PRIVATE_NAME.test(host) || !host.includes('.')) throw refused(field);
      if (!this.ports.has(port)) throw this.portRefused(port, field);
    }
    return url;
  }

  private portRefused(port: number, field: string): AppError {
    return invalid(field, `names the port ${port}; calls may go to the ports ${[...this.ports].join(', ')}`);
  }
}

const refused = (field: string): AppError =>
  invalid(field, 'is not on the public internet; calls to private addresses are not allowed');

const listOf = (text: string | undefined): string[] => (text ?? '').split(/[\s,]+/).filter((word) => word !== '');

export const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);

function normalEntry(entry: string): string | null {
  const alone = normalAddress(entry);
  if (alone !== null) return alone;
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(entry);
  const address = match ? normalAddress(match[1] ?? match[2] ?? '') : null;
  return match && address !== null ? `${address} ${Number(match[3])}` : null;
}
