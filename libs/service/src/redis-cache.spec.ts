import { Logger, RedisCache } from './index';

jest.mock('ioredis', () => {
  throw new Error('ioredis is loaded');
});

test('ioredis is loaded by RedisCache.at, not with the library', async () => {
  await expect(RedisCache.at('redis://127.0.0.1:1', new Logger('key', 'silent'))).rejects.toThrow('ioredis is loaded');
});
