import type { Bus } from '@switchyard/messaging';
import type { Workers } from '@switchyard/service';
import { LoadableNatsAccounts } from './loadable-nats-accounts';

const SPACE = '00000000-0000-7000-8000-000000000001';
const item = (accountId: string) => ({ accountId, spaceId: SPACE });

it('reads once at a time, and heeds changes during a reading', async () => {
  const answers: ((page: object) => void)[] = [];
  const bus = { call: () => new Promise((resolve) => answers.push(resolve)) } as unknown as Bus;
  let readAgain = (): Promise<void> => Promise.resolve();
  const workers = {
    every: (_: string, __: number, work: () => Promise<void>) => (readAgain = work),
  } as unknown as Workers;
  const seen: string[] = [];
  const accounts = new LoadableNatsAccounts(bus, workers);
  const followed = accounts.follow({
    added: ({ accountId }) => seen.push(`+${accountId}`),
    removed: ({ accountId }) => seen.push(`-${accountId}`),
  });
  const second = readAgain();
  accounts.onChanged({ ...item('b'), isLoadable: true });
  accounts.onChanged({ ...item('c'), isLoadable: false });
  expect(answers).toHaveLength(1);
  answers[0]?.({ items: [item('a'), item('c')], nextCursor: null });
  await Promise.all([followed, second]);
  expect(seen).toEqual(['+b', '+a']);
});
