import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { NatsAccount } from '@switchyard/client';
import { useClient, useSession } from '../../session/session-context';
import { wordsOf } from '../../ui/badge';
import { Dialog } from '../../ui/dialog';
import { Facts } from '../../ui/facts';
import { exactTime, number } from '../../ui/format';
import { ErrorState, Loading } from '../../ui/states';
import { scopeWords } from '../keys/scopes';
import { TokenMeters } from '../keys/token-meters';

/** Where a service connects, and the subjects that it uses. */
export const Subjects = ({ account: { url, subjects } }: { account: NatsAccount }): ReactNode => (
  <Facts
    of={[
      ['Server', url],
      ['Requests', `${subjects.request}.<operation>`],
      ['Events', `${subjects.deliver}.<endpoint>`],
      ['Inbox prefix', subjects.inbox],
    ]}
  />
);

export function AccountDetails({ account, onClose }: { account: NatsAccount | null; onClose: () => void }): ReactNode {
  return (
    <Dialog open={account !== null} onClose={onClose} title={account?.name ?? 'Account'} wide>
      {account && <Details account={account} />}
    </Dialog>
  );
}

function Details({ account }: { account: NatsAccount }): ReactNode {
  const client = useClient();
  const { space } = useSession();
  const { limits } = account;
  const usage = useQuery({
    queryKey: ['nats-accounts', account.id, 'usage'],
    queryFn: () => client.natsAccounts.usage(space.id, account.id),
  });
  if (usage.error) return <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />;
  if (!usage.data) return <Loading lines={4} />;
  return (
    <div className="grid gap-5">
      <Subjects account={account} />
      <TokenMeters usage={usage.data} />
      <Facts
        of={[
          ['Scopes', scopeWords(account.scopes).join('; ')],
          ['Role', wordsOf(account.role)],
          ['Emits for', limits.applications?.join(', ') ?? 'No application'],
          ['Requests a minute', limits.requestsPerMinute === undefined ? '6,000' : number(limits.requestsPerMinute)],
          ['Public key', account.publicKey],
          ['Last used', account.lastUsedAt === null ? 'Never' : exactTime(account.lastUsedAt)],
          ['On the server since', account.admittedAt === null ? 'Not yet' : exactTime(account.admittedAt)],
          ['Created', exactTime(account.createdAt)],
          ['Revoked', account.revokedAt === null ? null : exactTime(account.revokedAt)],
        ]}
      />
    </div>
  );
}
