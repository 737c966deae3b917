import { type ReactNode, useState } from 'react';
import type { Activity } from '@switchyard/client';
import { hasFailed, isUnderWay } from '../../api/status';
import { useClient, useMay } from '../../session/session-context';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';

const canCancel = ({ kind, status }: Activity): boolean => kind !== 'emission' && isUnderWay(status);
const canRetry = ({ kind, status }: Activity): boolean =>
  kind === 'execution' && (hasFailed(status) || status === 'CANCELLED');

/** Each for itself: one that is refused does not keep the others from being done. */
async function each(rows: readonly Activity[], work: (row: Activity) => Promise<unknown>): Promise<number> {
  const outcomes = await Promise.allSettled(rows.map(work));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  for (const { reason } of refused.slice(0, 1)) toast.failed(reason);
  return outcomes.length - refused.length;
}

const counted = (count: number): string => (count === 1 ? '1 record' : `${count} records`);

/** Actions on all selected rows. */
export function BulkActions({ chosen, onDone }: { chosen: readonly Activity[]; onDone: () => void }): ReactNode {
  const client = useClient();
  const mayWrite = useMay('MEMBER');
  const [isAsking, setAsking] = useState(false);
  const cancellable = chosen.filter(canCancel);
  const retriable = chosen.filter(canRetry);
  const retry = useAction(
    async () => {
      const count = await each(retriable, (row) => client.tasks.retryExecution(row.id));
      if (count > 0) toast.done(`Retrying ${counted(count)}.`);
      onDone();
    },
    { changes: [['activity']] },
  );
  const cancelOne = async (row: Activity): Promise<unknown> => {
    if (row.kind === 'execution') return client.tasks.cancelExecution(row.id);
    if (row.kind === 'job') return client.jobs.cancel(row.id);
    if (row.agentId === null || row.sessionId === null) throw new Error('This turn has no session to cancel it in.');
    return client.turns.cancel({ agentId: row.agentId, turnId: row.id }, row.sessionId);
  };
  const cancel = useAction(
    async () => {
      const count = await each(cancellable, cancelOne);
      if (count > 0) toast.done(`Cancelled ${counted(count)}.`);
      onDone();
    },
    { changes: [['activity']] },
  );
  if (chosen.length === 0 || !mayWrite) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-soft">{chosen.length} selected</span>
      <Button onClick={onDone}>Clear selection</Button>
      <Button disabled={cancellable.length === 0} isBusy={cancel.isBusy} onClick={() => setAsking(true)}>
        Cancel
      </Button>
      <Button disabled={retriable.length === 0} isBusy={retry.isBusy} onClick={() => void retry.run()}>
        Retry
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        action={`Cancel ${counted(cancellable.length)}`}
        onConfirm={cancel.run}
      >
        Stops{' '}
        {cancellable
          .map(({ name, kind }) => name ?? kind)
          .slice(0, 3)
          .join(', ')}
        {cancellable.length > 3 && ` and ${cancellable.length - 3} more`}. Work already done is kept.
      </ConfirmDialog>
    </div>
  );
}
