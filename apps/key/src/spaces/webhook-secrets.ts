import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { webhookSecretPlace } from '../domain/encryption-contexts';
import { DataEncryption } from '../secrets/data-encryption';

/**
 * The secrets that sign callbacks, in the notation of Standard Webhooks. They must be read back, so they are sealed.
 */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly seal: DataEncryption) {}

  make(spaceId: string): { webhookSecret: string; sealed: Buffer } {
    const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`;
    return { webhookSecret, sealed: this.seal.seal(webhookSecret, webhookSecretPlace(spaceId)) };
  }

  open(spaceId: string, sealed: Buffer): string {
    return this.seal.open(sealed, webhookSecretPlace(spaceId));
  }
}
