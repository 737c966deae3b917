import { setTimeout as sleep } from 'node:timers/promises';
import type { TestPlatform } from '@switchyard/testing';
import { type AttackOutcome, p95OfEach, slowed } from './outcome';
import { type Memory, memoryOf } from './process-memory';
import { NEIGHBOURS } from './rows';
import { attackOnce } from './run-neighbour';
import { OPERATIONS } from './victim';
import { VictimProcess } from './victim-handle';

interface Minute {
  minute: number;
  attack: string;
  p95: AttackOutcome['attacked'];
  done: number;
  failed: number;
  memoryMi: Memory;
}

export interface Soak {
  quiet: AttackOutcome['quiet'];
  minutes: Minute[];
  broken: string[];
}

const TENANTS = 4;
const MINUTE_MS = 60_000;
const ATTACKS_A_MINUTE = 4;

/** Several Spaces at work, and beside them one that attacks in all ways, one after the other, for as long as it takes. */
export async function runSoak(platform: TestPlatform, minutes: number, print: (line: string) => void): Promise<Soak> {
  const tenants = await Promise.all(Array.from({ length: TENANTS }, () => VictimProcess.begin()));
  const soak: Soak = { quiet: {}, minutes: [], broken: [] };
  const together = async (
    work: () => Promise<void>,
  ): Promise<{ p95: AttackOutcome['quiet']; done: number; failed: string[] }> => {
    for (const tenant of tenants) tenant.start();
    await work();
    const reports = await Promise.all(tenants.map((tenant) => tenant.stop()));
    const took = Object.fromEntries(
      OPERATIONS.map((operation) => [operation, reports.flatMap((report) => report.took[operation])]),
    ) as (typeof reports)[number]['took'];
    const failed = reports.flatMap((report) => report.failed);
    return { p95: p95OfEach({ took, failed }), done: Object.values(took).flat().length, failed };
  };
  soak.quiet = (await together(() => sleep(MINUTE_MS / 4))).p95;
  print(`quiet: ${JSON.stringify(soak.quiet)}`);
  let next = 0;
  for (let minute = 1; minute <= minutes; minute += 1) {
    const attacks: string[] = [];
    const { p95, done, failed } = await together(async () => {
      for (let each = 0; each < ATTACKS_A_MINUTE; each += 1) {
        const row = NEIGHBOURS[(next += 1) % NEIGHBOURS.length];
        if (!row) continue;
        attacks.push(row.name);
        const { broken } = await attackOnce(platform, row, MINUTE_MS / ATTACKS_A_MINUTE, true);
        soak.broken.push(...broken.map((line) => `${row.name}: ${line}`));
      }
    });
    const memoryMi = Object.fromEntries(
      Object.entries(await memoryOf(platform)).map(([name, mi]) => [name, Math.round(mi)]),
    );
    soak.minutes.push({ minute, attack: attacks.join(', '), p95, done, failed: failed.length, memoryMi });
    soak.broken.push(...slowed(soak.quiet, p95).map((line) => `minute ${minute} (${attacks.join(', ')}): ${line}`));
    print(
      `minute ${minute}: ${done} done, ${failed.length} failed, p95 ${JSON.stringify(p95)}, ${JSON.stringify(memoryMi)}`,
    );
  }
  for (const tenant of tenants) tenant.end();
  for (const line of soak.broken) print(`  ${line}`);
  return soak;
}
