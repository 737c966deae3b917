import { AppError, invalid } from '@switchyard/kernel';
import { isPublicAddress, normalAddress } from './address';

const PRIVATE_NAME =
  /(^|\.)(localhost|localdomain|internal|intranet|local|lan|home|corp|svc|cluster\.local|home\.arpa|test|invalid)$/;

/** Where calls to addresses that users give may go. Decides; opens nothing. */
export class EgressPolicy {
  private readonly allowed: ReadonlySet<string>;

  /** `allow` lists exact private addresses, each alone or with a port (`127.0.0.1`, `10.0.0.7:8080`, `[::1]:9000`). */
  constructor(allow: readonly string[] = []) {
    this.allowed = new Set(allow.map(normalEntry).filter((entry): entry is string => entry !== null));
  }

  /** Reads the comma or space separated form of the environment. */
  static fromText(text: string | undefined): EgressPolicy {
    return new EgressPolicy((text ?? '').split(/[\s,]+/).filter((entry) => entry !== ''));
  }

  permits(address: string, port: number): boolean {
    if (isPublicAddress(address)) return true;
    const normal = normalAddress(address);
    return normal !== null && (this.allowed.has(normal) || this.allowed.has(`${normal} ${port}`));
  }

  /**
   * What can be said of an address without looking its name up: scheme, credentials, literal addresses, names that
   * are private by convention. The rest is decided where the connection is made.
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
    if (normalAddress(host) !== null) {
      if (!this.permits(host, portOf(url))) throw refused(field);
    } else if (this.allowed.size === 0 && (PRIVATE_NAME.test(host) || !host.includes('.'))) {
      throw refused(field);
    }
    return url;
  }
}

/** The caller learns that the place is out of bounds, never what is there. */
export const refused = (field = 'url'): AppError =>
  invalid(field, 'is not on the public internet; calls to private addresses are not allowed');

export const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);

function normalEntry(entry: string): string | null {
  const alone = normalAddress(entry);
  if (alone !== null) return alone;
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(entry);
  const address = match ? normalAddress(match[1] ?? match[2] ?? '') : null;
  return match && address !== null ? `${address} ${Number(match[3])}` : null;
}
