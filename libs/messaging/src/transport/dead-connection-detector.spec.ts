import type { NatsConnection } from 'nats';
import { DeadConnectionDetector } from './dead-connection-detector';

/** Answers pings, or does not. */
class Server {
  pings = 0;
  isFrozen = false;
  breaks = 0;
  thaw = (): void => undefined;
  readonly connection = {
    isClosed: () => false,
    flush: () => {
      this.pings += 1;
      return this.isFrozen ? new Promise<void>((resolve) => (this.thaw = resolve)) : Promise.resolve();
    },
    protocol: {
      transport: {
        socket: {
          destroy: () => {
            this.breaks += 1;
          },
        },
      },
    },
  } as unknown as NatsConnection;
}

describe('the detector of dead connections', () => {
  const server = new Server();
  const reports: boolean[] = [];
  let detector: DeadConnectionDetector;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    server.pings = 0;
    server.breaks = 0;
    server.isFrozen = false;
    reports.length = 0;
    detector = new DeadConnectionDetector(server.connection, (isAnswering) => reports.push(isAnswering));
    detector.start();
  });

  afterEach(() => {
    detector.stop();
    jest.useRealTimers();
  });

  const pass = async (ms: number): Promise<void> => {
    await jest.advanceTimersByTimeAsync(ms);
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  it('asks every five seconds while no call waits', async () => {
    await pass(50_000);
    expect(server.pings).toBe(10);
    expect(reports).toEqual([]);
  });

  it('asks at once when a call begins to wait, and tells within a second that no answer comes', async () => {
    await pass(7_000);
    server.isFrozen = true;
    detector.wait();
    await pass(0);
    await pass(1_000);
    expect(reports).toEqual([false]);
  });

  it('tells it as soon where it was asked a moment before', async () => {
    await pass(5_750);
    expect(server.pings).toBe(1);
    server.isFrozen = true;
    detector.wait();
    await pass(400);
    await pass(1_000);
    expect(reports).toEqual([false]);
  });

  it('asks every 400 ms as long as a call waits', async () => {
    const leave = detector.wait();
    await pass(4_000);
    expect(server.pings).toBeGreaterThanOrEqual(9);
    leave();
    await pass(400);
    const { pings } = server;
    await pass(4_000);
    expect(server.pings - pings).toBeLessThanOrEqual(2);
  });

  it('does not ask more often than every 400 ms, however many wait', async () => {
    for (let waiting = 0; waiting < 200; waiting += 1) {
      detector.wait();
      await pass(10);
    }
    expect(server.pings).toBeLessThanOrEqual(6);
  });

  it('breaks a connection that has not answered for ten seconds', async () => {
    server.isFrozen = true;
    await pass(15_500);
    expect([server.breaks, reports]).toEqual([1, [false]]);
  });

  it('leaves one that has answered late', async () => {
    server.isFrozen = true;
    await pass(13_000);
    server.isFrozen = false;
    server.thaw();
    await pass(60_000);
    expect([server.breaks, reports]).toEqual([0, [false, true]]);
  });

  it('breaks none after it was stopped', async () => {
    server.isFrozen = true;
    await pass(7_000);
    detector.stop();
    await pass(60_000);
    expect(server.breaks).toBe(0);
  });
});
