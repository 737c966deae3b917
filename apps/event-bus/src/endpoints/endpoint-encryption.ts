import { Injectable } from '@nestjs/common';
import type { Ctx } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Encrypter, keyedFingerprint } from '@switchyard/service';
import { endpointHeadersContext, endpointSecretContext } from '../domain/endpoint-record';
import { openText, sealText } from '../domain/encrypted-text';
import { EventBusConfig } from '../event-bus.config';

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
}
