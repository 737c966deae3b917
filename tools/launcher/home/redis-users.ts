import type { Secrets } from './secrets';

/** The ACL file of Redis: its one user. While its password is rotated, Redis accepts two; the first is in use. */
export const redisUsers = ({
  redisPassword,
  nextRedisPassword,
  previousRedisPassword,
}: Pick<Secrets, 'redisPassword' | 'nextRedisPassword' | 'previousRedisPassword'>): string => {
  const accepted = [redisPassword, nextRedisPassword, previousRedisPassword].filter((one) => one !== undefined);
  return `user default on ${accepted.map((password) => `>${password}`).join(' ')} ~* &* +@all\n`;
};
