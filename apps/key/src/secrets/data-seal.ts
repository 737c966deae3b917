import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyConfig } from '../key.config';

const VERSION = 1;
const NONCE = 12;
const TAG = 16;

/**
 * Encrypts what must be stored and read back (AES-256-GCM). `purpose` names the row it belongs to, so that a
 * sealed value copied into another row does not open.
 */
@Injectable()
export class DataSeal {
  private readonly key: Buffer;

  constructor(config: KeyConfig) {
    this.key = Buffer.from(config.DATA_KEY, 'base64');
    if (this.key.length !== 32) throw new Error('DATA_KEY must be 32 bytes in base64.');
  }

  seal(secret: string, purpose: string): Buffer {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), sealed]);
  }

  open(sealed: Buffer, purpose: string): string {
    const nonce = sealed.subarray(1, 1 + NONCE);
    const tag = sealed.subarray(1 + NONCE, 1 + NONCE + TAG);
    if (sealed[0] !== VERSION || tag.length !== TAG)
      throw new Error(`what is stored for ${purpose} is not sealed by us`);
    const decipher = createDecipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(purpose)).setAuthTag(tag);
    return decipher.update(sealed.subarray(1 + NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
  }
}
