import type { Client, TestPlatform } from '@switchyard/testing';

/** Lets an unused key expire now. */
export async function expire(platform: TestPlatform, key: Client): Promise<void> {
  await platform.database.query(`update key.api_keys set expires_at = now() - interval '1 second' where id = $1`, [
    key.identity.keyId,
  ]);
}
