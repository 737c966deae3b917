import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Reply } from '@switchyard/testing';

/** Reports what the list has reached, as a NATS server would that loads each change. */
export async function reportLoaded(operator: Client): Promise<number> {
  const { revision } = (await operator.get('/operator/nats-accounts?limit=1')).body as { revision: number };
  const reported = await operator.post('/operator/nats-accounts/loaded', { revision });
  if (reported.status !== 200) throw new Error(`could not report: ${JSON.stringify(reported.body)}`);
  return revision;
}

/** Does `work` beside a NATS server that loads all changes. */
export async function whileLoading<T>(operator: Client, work: Promise<T>): Promise<T> {
  const ending = new AbortController();
  const loading = (async () => {
    while (!ending.signal.aborted) {
      await reportLoaded(operator);
      await sleep(200);
    }
  })();
  try {
    return await work;
  } finally {
    ending.abort();
    await loading;
  }
}

export const pathOf = (spaceId: string, accountId = ''): string =>
  `/spaces/${spaceId}/nats-accounts${accountId === '' ? '' : `/${accountId}`}`;

export const codeOf = ({ status, body }: Reply): unknown[] => [status, body.code];
