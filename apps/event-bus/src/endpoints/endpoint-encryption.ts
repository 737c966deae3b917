import { Injectable } from '@nestjs/common';
import type { Ctx } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Encrypter, keyedFingerprint } from '@switchyard/service';
import { type EndpointRow, endpointHeadersContext, endpointSecretContext } from '../domain/endpoint-record';
import { openText, sealText } from '../domain/encrypted-text';
import { EventBusConfig } from '../event-bus.config';

type StoredFields = Pick<EndpointRow, 'id' | 'url' | 'headers' | 'secret'>;

const PROBLEMS = {
  url: 'The address of the endpoint cannot be read. Save its url again.',
  headers: 'The headers of the endpoint cannot be decrypted. Save all of them again, with their values.',
  secret: 'The secret of the endpoint cannot be decrypted. Rotate it.',
};

/** Secrets and headers of endpoints, sealed under the endpoint that they are for. */
@Injectable()
export class EndpointEncryption {
  private readonly sealer: Encrypter | null;

  constructor(config: EventBusConfig) {
    this.sealer = config.DATA_KEY === undefined ? null : new Encrypter(config.DATA_KEY);
  }

  /** A platform that was set up by an earlier version may have no key for this service. */
  private get encrypter(): Encrypter {
    if (this.sealer) return this.sealer;
    throw new AppError('SERVICE_UNAVAILABLE', 'Endpoints need DATA_KEY in the event bus. Ask the operator to set it.');
  }

  keyedFingerprint(ctx: Ctx): Ctx {
    return keyedFingerprint(ctx, this.encrypter.digestKeys);
  }

  sealSecret(endpointId: string, secret: string): string {
    return sealText(this.encrypter, secret, endpointSecretContext(endpointId));
  }

  openSecret(endpointId: string, sealed: string): string {
    return openText(this.encrypter, sealed, endpointSecretContext(endpointId));
  }

  sealHeaders(endpointId: string, headers: Readonly<Record<string, string>>): string | null {
    if (Object.keys(headers).length === 0) return null;
    return sealText(this.encrypter, JSON.stringify(headers), endpointHeadersContext(endpointId));
  }

  openHeaders(endpointId: string, sealed: string | null): Record<string, string> {
    if (sealed === null) return {};
    return JSON.parse(openText(this.encrypter, sealed, endpointHeadersContext(endpointId))) as Record<string, string>;
  }

  /** Null if they cannot be decrypted, such as after the loss of a key. */
  tryHeaders(endpointId: string, sealed: string | null): Record<string, string> | null {
    return this.attempt(() => this.openHeaders(endpointId, sealed));
  }

  /** Empty if the former secret cannot be decrypted: the current secret then signs alone. */
  openOldSecret(endpointId: string, sealed: string | null): string[] {
    const secret = sealed === null ? null : this.attempt(() => this.openSecret(endpointId, sealed));
    return secret === null ? [] : [secret];
  }

  /** Why nothing can be sent with what is stored, and what its owner can do; null if all of it can be read. */
  problemOf({ id, url, headers, secret }: StoredFields): string | null {
    if (url !== null && !URL.canParse(url)) return PROBLEMS.url;
    if (this.tryHeaders(id, headers) === null) return PROBLEMS.headers;
    if (secret !== null && this.attempt(() => this.openSecret(id, secret)) === null) return PROBLEMS.secret;
    return null;
  }

  /** Refuses an endpoint to which nothing can be sent. */
  checkReadable(endpoint: StoredFields): void {
    const problem = this.problemOf(endpoint);
    if (problem !== null) throw new AppError('CONFLICT', problem);
  }

  private attempt<T>(open: () => T): T | null {
    try {
      return open();
    } catch {
      return null;
    }
  }
}
