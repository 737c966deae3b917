import { type ReactNode, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Activity } from '@switchyard/client';
import { useClient, useMay } from '../../session/session-context';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';

const UNDER_WAY = new Set(['RUNNING', 'QUEUED', 'WAITING_INPUT', 'RETRYING', 'PENDING']);
const FAILED = new Set(['FAILED', 'TIMED_OUT', 'CANCELLED']);

const canCancel = ({ kind, status }: Activity): boolean => kind !== 'emission' && UNDER_WAY.has(status);
const canRetry = ({ kind, status }: Activity): boolean => kind === 'execution' && FAILED.has(status);

/** What can be done to all that is selected. */
export function Deeds({ chosen, onDone }: { chosen: readonly Activity[]; onDone: () => void }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const mayWrite = useMay('MEMBER');
  const [isBusy, setBusy] = useState(false);
  if (chosen.length === 0 || !mayWrite) return null;
  const run = async (
    rows: readonly Activity[],
    word: string,
    deed: (row: Activity) => Promise<unknown>,
  ): Promise<void> => {
    setBusy(true);
    const outcomes = await Promise.allSettled(rows.map(deed));
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    if (refused) toast.failed(refused.reason);
    const done = outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
    if (done > 0) toast.done(`${word}: ${done}`);
    setBusy(false);
    onDone();
    await queries.invalidateQueries({ queryKey: ['activity'] });
  };
  const cancel = (row: Activity): Promise<unknown> => {
    if (row.kind === 'execution') return client.tasks.cancelExecution(row.id);
    if (row.kind === 'job') return client.jobs.cancel(row.id);
    if (row.agentId === null || row.sessionId === null) throw new Error('This turn has no session to cancel it in.');
    return client.turns.cancel({ agentId: row.agentId, turnId: row.id }, row.sessionId);
  };
  const cancellable = chosen.filter(canCancel);
  const retriable = chosen.filter(canRetry);
  return (
    <div className="flex items-center gap-2">
      <span className="text-soft">{chosen.length} selected</span>
      <Button
        disabled={cancellable.length === 0 || isBusy}
        onClick={() => void run(cancellable, 'Cancelled', async (row) => cancel(row))}
      >
        Cancel
      </Button>
      <Button
        disabled={retriable.length === 0 || isBusy}
        onClick={() => void run(retriable, 'Retried', (row) => client.tasks.retryExecution(row.id))}
      >
        Retry
      </Button>
    </div>
  );
}
