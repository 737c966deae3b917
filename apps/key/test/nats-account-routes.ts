import type { Client, Reply } from '@switchyard/testing';

/** Revision of the list that NATS servers load. */
export async function revisionFor(operator: Client): Promise<number> {
  return ((await operator.get('/operator/nats-accounts?limit=1')).body as { revision: number }).revision;
}

export const pathOf = (spaceId: string, accountId = ''): string =>
  `/spaces/${spaceId}/nats-accounts${accountId === '' ? '' : `/${accountId}`}`;

export const codeOf = ({ status, body }: Reply): unknown[] => [status, body.code];
