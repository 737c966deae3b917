import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServicesConnectionOptions } from '@switchyard/messaging';

/** In seconds since 1970. */
export interface Validity {
  issued: number;
  expire: number;
}

const BLOCK = /-{3,}[^\n]*-{3,}\r?\n(.+)\r?\n\s*-{3,}[^\n]*-{3,}(?:\r?\n|$)/g;
const SEED = /^SU[A-Z2-7]{56}$/;

/** The token and the seed of a credentials file; null if it has another form. */
export function readNatsCredentials(text: string): { token: string; seed: string } | null {
  const [token = '', seed = ''] = [...text.matchAll(BLOCK)].map(([, content = '']) => content.trim());
  return token.split('.').length === 3 && SEED.test(seed) ? { token, seed } : null;
}

/** Null for credentials without an end. */
export function validityOfToken(token: string): Validity | null {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      iat?: unknown;
      exp?: unknown;
    };
    const { iat, exp } = claims;
    return typeof exp === 'number' && exp > 0 ? { issued: typeof iat === 'number' ? iat : 0, expire: exp } : null;
  } catch {
    return null;
  }
}

/** Null if the file cannot be read: connections then fail, and say why. */
export function validityOfCertificate(file: string): Validity | null {
  try {
    const { validFrom, validTo } = new X509Certificate(readFileSync(file));
    return { issued: Date.parse(validFrom) / 1000, expire: Date.parse(validTo) / 1000 };
  } catch {
    return null;
  }
}

/** A credentials file. It is read for each connection: another program may replace it before its credentials expire. */
export class NatsCredentials {
  private last: { text: string; token: string };

  constructor(
    private readonly file: string,
    private readonly log: ServicesConnectionOptions['log'],
  ) {
    this.last = this.parsed();
  }

  /** The file as it is now, or as it was when it could be read. */
  read(): string {
    try {
      this.last = this.parsed();
    } catch (error) {
      this.log.warn({ err: error }, 'failed to read the credentials for the NATS server of services');
    }
    return this.last.text;
  }

  /** Of the credentials that were read last. */
  get validity(): Validity | null {
    return validityOfToken(this.last.token);
  }

  private parsed(): { text: string; token: string } {
    const text = readFileSync(this.file, 'utf8');
    const found = readNatsCredentials(text);
    if (!found) throw new Error('NATS_API_CREDS is the path of a file without credentials of a NATS user.');
    // The client wants a line end after the last block.
    return { text: text.endsWith('\n') ? text : `${text}\n`, token: found.token };
  }
}
