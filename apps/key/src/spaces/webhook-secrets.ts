import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { webhookSecretPlace } from '../domain/encryption-contexts';
import { DataEncryption } from '../secrets/data-encryption';

const UNREADABLE = 'The webhook secret of the Space cannot be decrypted. Rotate it.';

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

  /** With the secret, or why it cannot be read. */
  shown(spaceId: string, sealed: Buffer): { webhookSecret: string } | { problem: string } {
    try {
      return { webhookSecret: this.open(spaceId, sealed) };
    } catch {
      return { problem: UNREADABLE };
    }
  }

  open(spaceId: string, sealed: Buffer): string {
    return this.seal.openOrRefuse(sealed, webhookSecretPlace(spaceId), UNREADABLE);
  }
}
