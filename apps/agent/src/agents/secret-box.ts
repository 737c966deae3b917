import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AgentConfig } from '../agent.config';

const VERSION = 'v1';

/** Encrypts small secrets with AES-256-GCM, each bound to the place where it is kept. */
@Injectable()
export class SecretBox {
  private readonly key: Buffer;

  constructor(config: AgentConfig) {
    this.key = keyOf(config.DATA_KEY);
  }

  seal(text: string, place: string): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key, iv).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return [
      VERSION,
      iv.toString('base64url'),
      cipher.getAuthTag().toString('base64url'),
      sealed.toString('base64url'),
    ].join('.');
  }

  open(sealed: string, place: string): string {
    const [version, iv, tag, text] = sealed.split('.');
    if (version !== VERSION || iv === undefined || tag === undefined || text === undefined)
      throw new Error('not a sealed secret');
    const decipher = createDecipheriv('aes-256-gcm', this.key, Buffer.from(iv, 'base64url')).setAAD(Buffer.from(place));
    decipher.setAuthTag(Buffer.from(tag, 'base64url'));
    return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
  }
}

/** 32 bytes as base64 or hex; a longer pass phrase is hashed to that size. */
function keyOf(text: string): Buffer {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === 32 ? decoded : createHash('sha256').update(text).digest();
}
