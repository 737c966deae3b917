import autocannon from 'autocannon';
import { TestPlatform } from '@switchyard/testing';
import { alternate, atLeast } from '../measure';
import { startNoOpGateway } from '../no-op-side';
import type { BenchPlace, BenchRow, Measured } from '../row';
import { SideProcess } from '../side-process';

const rounds = 5;
const connections = 32;
const seconds = 3;

async function requestsPerSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.average;
}

/** Credential, limits, request id, headers and envelope, beside the same answer from Fastify alone. */
export const gatewayNoOp: BenchRow = {
  name: 'gateway',
  async run({ state }: BenchPlace): Promise<Measured[]> {
    const key = await (await new TestPlatform().newSpace()).key();
    const gateway = await startNoOpGateway(state);
    const bare = await SideProcess.start('bare-fastify', process.env);
    const headers = { authorization: `Bearer ${key.credential}` };
    try {
      const pair = await alternate(
        rounds,
        () => requestsPerSecond(`${gateway.ready}/api/bench/no-op`, headers),
        () => requestsPerSecond(`${bare.ready}/no-op`, headers),
      );
      return [atLeast(0.35, { what: 'authenticated no-op', beside: 'bare Fastify handler', unit: 'req/s', ...pair })];
    } finally {
      gateway.stop();
      bare.stop();
    }
  },
};
