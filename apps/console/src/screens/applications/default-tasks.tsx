import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { collectAll } from '../../api/collect-all';
import { useClient } from '../../session/session-context';
import { Section } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { TaskLink } from '../events/task-link';

/** The application's tasks, except those that a user has taken over. */
export function DefaultTasks({ identifier }: { identifier: string }): ReactNode {
  const client = useClient();
  const query = useQuery({
    queryKey: ['subscriptions', 'defaults', identifier],
    queryFn: async () => {
      const all = await collectAll(client.events.allSubscriptions({ appIdentifier: identifier, limit: 100 }));
      return all.filter(({ origin }) => origin === 'DEFAULT');
    },
  });
  return (
    <Section title="Default tasks">
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Loading label="Loading the default tasks" />
      ) : query.data.length === 0 ? (
        <p className="text-soft">
          None. Either the manifest declares no tasks, or they were edited here and no longer follow the manifest.
        </p>
      ) : (
        <ul className="grid gap-1">
          {query.data.map(({ id, taskId, event }) => (
            <li key={id} className="flex flex-wrap gap-x-3">
              {taskId !== null && <TaskLink taskId={taskId} />}
              <span className="text-soft">runs on {event}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
