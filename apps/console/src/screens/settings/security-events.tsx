import type { ReactNode } from 'react';
import type { SecurityEvent } from '@switchyard/client';
import { ShieldCheck } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useList } from '../../api/use-list';
import { useClient, useSession } from '../../session/session-context';
import { shortId } from '../../ui/format';
import { SecurityEventTable } from '../../ui/security-event-table';
import { Empty } from '../../ui/states';
import type { Column } from '../../ui/table';
import { Time } from '../../ui/time';

/** Audit log of keys, people, secrets and settings. */
export function SecurityEvents(): ReactNode {
  const client = useClient();
  const { space } = useSession();
  const { data: people } = useQuery({
    queryKey: ['members', space.id, 'e-mails'],
    queryFn: async () => {
      const { items } = await client.spaces.members(space.id, { limit: 100 });
      return new Map(items.map(({ userId, email }) => [userId, email]));
    },
  });
  const nameOf = (id: string | null): string => (id === null ? 'System' : (people?.get(id) ?? shortId(id)));
  const list = useList(['settings', 'events', space.id], (cursor) =>
    client.spaces.securityEvents(space.id, { limit: 100, ...(cursor ? { cursor } : {}) }),
  );
  const columns: Column<SecurityEvent>[] = [
    {
      name: 'To',
      cell: ({ target }) => (
        <span className="font-mono text-xs text-soft" title={target ?? undefined} dir="auto">
          {target === null ? '–' : (people?.get(target) ?? target)}
        </span>
      ),
    },
    {
      name: 'When',
      width: '7rem',
      align: 'right',
      cell: ({ at }) => (
        <span className="text-soft">
          <Time at={at} />
        </span>
      ),
    },
  ];
  return (
    <>
      <h2 className="mb-2 text-lg font-semibold">Security events</h2>
      <SecurityEventTable
        name="Security events"
        list={list}
        actorOf={({ actorUserId }) => nameOf(actorUserId)}
        columns={columns}
        facts={({ target, credentialId }) => [
          ['To', target],
          ['Credential', credentialId],
        ]}
        height="32rem"
        empty={
          <div className="card">
            <Empty title="No events yet" icon={<ShieldCheck className="size-5" aria-hidden="true" />}>
              Changes to keys, members, secrets and settings are listed here.
            </Empty>
          </div>
        }
      />
    </>
  );
}
