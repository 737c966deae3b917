import type { TestPlatform } from '@switchyard/testing';

export interface KeyBooks {
  name: string;
  limit: number;
  used: number;
  reserved: number;
  /** By the ledger. */
  charged: number;
  /** The most that one call of this key has been charged or held. */
  largestCall: number;
}

export interface BookedKey {
  name: string;
  keyId: string | undefined;
  limit: number;
}

export async function booksOf(
  platform: TestPlatform,
  spaceId: string,
  { name, keyId, limit }: BookedKey,
): Promise<KeyBooks> {
  const of = [spaceId, keyId];
  const [account] = await platform.database.query<{ used: number; reserved: number }>(
    'select monthly_used::int as used, reserved::int from relay.key_accounts where space_id = $1 and key_id = $2',
    of,
  );
  const [ledger] = await platform.database.query<{ charged: number; largestCall: number }>(
    `select coalesce(-sum(tokens), 0)::int as charged, coalesce(max(-tokens), 0)::int as "largestCall"
       from relay.ledger where space_id = $1 and key_id = $2`,
    of,
  );
  return { name, limit, used: 0, reserved: 0, charged: 0, largestCall: 0, ...account, ...ledger };
}

/** Keys are charged what the ledger says, hold nothing, and stay within their limits. */
export const wrongBooks = (keys: readonly KeyBooks[]): string[] =>
  keys.flatMap(({ name, limit, used, reserved, charged, largestCall }) => [
    ...(used === charged ? [] : [`${name} has used ${used}; the ledger makes ${charged}`]),
    ...(reserved === 0 ? [] : [`${reserved} tokens of ${name} are reserved`]),
    ...(charged <= limit + largestCall ? [] : [`${name} was charged ${charged} of ${limit}`]),
  ]);
