import { Logger, RedisCache } from './index';

jest.mock('ioredis', () => {
  throw new Error('the client of Redis is loaded');
});

test('the client of Redis is loaded by who asks it something', async () => {
  await expect(RedisCache.at('redis://127.0.0.1:1', new Logger('key', 'silent'))).rejects.toThrow(
    'the client of Redis is loaded',
  );
});
