import { createDecipheriv } from 'node:crypto';
import type { TestPlatform } from '@switchyard/testing';
import type { JWK } from 'jose';

/** Reads a signing key as the key service does: only with DATA_KEY, and only for the row it was sealed for. */
export function openSigningKey(platform: TestPlatform, sealed: Buffer, kid: string): JWK {
  const key = Buffer.from(platform.state.secrets.services.key?.dataKey ?? '', 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(3, 15))
    .setAAD(Buffer.from(`signing-key:${kid}`))
    .setAuthTag(sealed.subarray(15, 31));
  return JSON.parse(decipher.update(sealed.subarray(31), undefined, 'utf8') + decipher.final('utf8')) as JWK;
}
