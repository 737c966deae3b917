import { type Logger, ReachedLimitReports, Metrics, type RedisCache, type Workers } from '@switchyard/service';
import { GatewayConfig } from '../gateway.config';
import { RateLimiter } from '../limits/rate-limiter';
import { UnverifiedCredentialLookups } from './unverified-credential-lookups';

const LOOK_UPS = 64;
const SHARE = LOOK_UPS / 4;
const reply = { header: () => undefined };
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Look-ups by their address. Each lasts until it is ended. */
class LookUps {
  readonly running: { address: string; end(): void }[] = [];
  readonly finished: Promise<unknown>[] = [];

  constructor(private readonly unknown: UnverifiedCredentialLookups) {}

  start(address: string, count: number): void {
    for (let n = 0; n < count; n += 1)
      this.finished.push(
        this.unknown.lookUp({ address, reply }, () => new Promise<void>((end) => this.running.push({ address, end }))),
      );
  }

  of(address: string): number {
    return this.running.filter((each) => each.address === address).length;
  }

  async end(count: number): Promise<void> {
    for (const { end } of this.running.splice(0, count)) end();
    await settled();
  }
}

describe('look-ups of unknown credentials', () => {
  let lookUps: LookUps;

  beforeEach(() => {
    const config = new GatewayConfig();
    config.ADDRESS_RATE_LIMIT_PER_MINUTE = 600;
    const workers = { every: () => undefined } as unknown as Workers;
    const limiter = new RateLimiter(
      config,
      { isUp: false } as RedisCache,
      new ReachedLimitReports({} as Logger),
      workers,
    );
    lookUps = new LookUps(new UnverifiedCredentialLookups(limiter, new Metrics('gateway')));
  });

  afterEach(async () => {
    while (lookUps.running.length > 0) await lookUps.end(LOOK_UPS);
    await Promise.all(lookUps.finished);
  });

  it('are 64 at a time, however many addresses ask', async () => {
    for (let n = 1; n <= 100; n += 1) lookUps.start(`192.0.2.${n}`, 2);
    await settled();
    expect(lookUps.running).toHaveLength(LOOK_UPS);
    await lookUps.end(10);
    expect(lookUps.running).toHaveLength(LOOK_UPS);
  });

  it('of one address leave some free for others, and take a quarter of all while others wait', async () => {
    lookUps.start('192.0.2.1', 200);
    await settled();
    expect(lookUps.of('192.0.2.1')).toBeLessThan(LOOK_UPS);
    lookUps.start('192.0.2.2', 1);
    await settled();
    expect(lookUps.of('192.0.2.2')).toBe(1);
    for (let n = 3; n <= 10; n += 1) lookUps.start(`192.0.2.${n}`, 20);
    for (let round = 0; round < 8; round += 1) await lookUps.end(LOOK_UPS / 8);
    expect(lookUps.running).toHaveLength(LOOK_UPS);
    expect(lookUps.of('192.0.2.1')).toBeLessThanOrEqual(SHARE);
  });
});
