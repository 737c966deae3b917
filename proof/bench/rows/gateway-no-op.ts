import { TestPlatform } from '@switchyard/testing';
import { CpuPerOperation } from '../cpu';
import { alternate, atLeast } from '../measure';
import { startNoOpGateway } from '../no-op-side';
import { perSecond } from '../per-second';
import type { BenchContext, BenchRow, Measured } from '../row';
import { ONE_SERVICE } from '../shape';
import { SideProcess } from '../side-process';

const ROUNDS = 7;
const TIMES = 20_000;
const CONNECTIONS = 32;

const requestsPerSecond = (url: string, headers: Record<string, string>, times: number): Promise<number> =>
  perSecond({ url, headers, connections: CONNECTIONS, amount: times });

/** Credential, limits, request id, headers and envelope, beside the same answer from Fastify alone. */
export const gatewayNoOp: BenchRow = {
  name: 'gateway',
  shapes: ONE_SERVICE,
  async run({ state }: BenchContext): Promise<Measured[]> {
    const key = await (await new TestPlatform().newSpace()).key();
    const gateway = await startNoOpGateway(state);
    const bare = await SideProcess.start('bare-fastify', process.env);
    const headers = { authorization: `Bearer ${key.credential}` };
    try {
      const cpu = new CpuPerOperation({ gateway: gateway.pid, caller: process.pid });
      const pair = await alternate(
        ROUNDS,
        () => cpu.during(TIMES, () => requestsPerSecond(`${gateway.ready}/api/bench/no-op`, headers, TIMES)),
        () => requestsPerSecond(`${bare.ready}/no-op`, headers, 2 * TIMES),
      );
      const open = 'bare Fastify handler';
      return [atLeast(0.45, { what: 'authenticated no-op', beside: open, unit: 'req/s', cpu: cpu.result(), ...pair })];
    } finally {
      gateway.stop();
      bare.stop();
    }
  },
};
