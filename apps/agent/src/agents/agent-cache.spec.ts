import { type Ctx, serviceCtx } from '@switchyard/contracts';
import type { Database } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import type { Bus } from '@switchyard/messaging';
import { Metrics, type PayerCache } from '@switchyard/service';
import type { AgentConfig } from '../agent.config';
import { AgentsRepository } from '../db/agents.repository';
import { HeavySlots } from '../turns/limits/heavy-slots';
import { AgentCache } from './agent-cache';

const settled = (): Promise<void> => new Promise(setImmediate);

it('reads a few agents of a payer at a time, and one of another payer at once', async () => {
  const reads: string[] = [];
  const database = {
    transaction: ({ spaceId }: Ctx) => {
      reads.push(spaceId ?? '');
      return new Promise(() => undefined);
    },
  } as unknown as Database;
  const heavy = new HeavySlots(
    { of: (spaceId: string) => spaceId } as unknown as PayerCache,
    { TURNS_PER_PROCESS: 300, TURN_SPACE_SHARE_PERCENT: 50 } as unknown as AgentConfig,
    new Metrics('agent'),
  );
  const bus = { isUp: true, onDown: () => undefined } as unknown as Bus;
  const cache = new AgentCache(database, new AgentsRepository(), bus, heavy);
  const [attacker, victim] = [newId(), newId()];
  const find = (spaceId: string): void => {
    Promise.resolve(cache.find({ ...serviceCtx('agent'), spaceId }, newId())).catch(() => undefined);
  };
  for (let n = 0; n < 100; n += 1) find(attacker);
  find(victim);
  await settled();
  expect(reads).toEqual([attacker, attacker, attacker, victim]);
});
