import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClient } from '../../session/session-context';
import { isNotFound } from '../../ui/errors';
import { shortId } from '../../ui/format';

/** A task by its name, as far as it is there. */
export function TaskLink({ taskId }: { taskId: string }): ReactNode {
  const client = useClient();
  const task = useQuery({ queryKey: ['task', taskId], queryFn: () => client.tasks.get(taskId), staleTime: 60_000 });
  if (isNotFound(task.error)) return <span className="text-faint">Deleted task {shortId(taskId)}</span>;
  return (
    <Link to={`/tasks/${taskId}`} className="font-medium wrap-anywhere hover:underline" dir="auto">
      {task.data?.name ?? shortId(taskId)}
    </Link>
  );
}
