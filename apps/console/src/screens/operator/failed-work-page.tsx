import { type ReactNode, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { DeadLetter, PoisonedWork } from '@switchyard/client';
import { CircleCheck } from 'lucide-react';
import { useList } from '../../api/use-list';
import { useSession } from '../../session/session-context';
import { wordsOf } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { AreaField } from '../../ui/field';
import { Form } from '../../ui/form';
import { size } from '../../ui/format';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import { SpaceName } from './names';
import { OperatorFrame } from './operator-frame';

/** Work that the platform no longer retries. Operators do not see its content. */
export function OperatorFailedWorkPage(): ReactNode {
  return (
    <OperatorFrame description="Work that the platform no longer retries. Retry it once you have found the cause.">
      <Poisoned />
      <DeadLetters />
    </OperatorFrame>
  );
}

function Poisoned(): ReactNode {
  const { client } = useSession();
  const queries = useQueryClient();
  const list = useList(['operator', 'poisoned'], (cursor) =>
    client.operator.poisoned({ limit: 50, ...(cursor ? { cursor } : {}) }),
  );
  const retry = async ({ id }: PoisonedWork): Promise<void> => {
    try {
      await client.operator.retryPoisoned(id);
      toast.done('It runs again.');
      await queries.invalidateQueries({ queryKey: ['operator', 'poisoned'] });
    } catch (error) {
      toast.failed(error);
    }
  };
  const columns: Column<PoisonedWork>[] = [
    { name: 'Kind', width: '9rem', cell: ({ kind }) => wordsOf(kind) },
    { name: 'Id', cell: ({ id }) => <span className="font-mono text-xs">{id}</span> },
    { name: 'Space', width: '10rem', cell: ({ spaceId }) => <SpaceName spaceId={spaceId} /> },
    { name: 'Crashes', width: '5rem', align: 'right', cell: ({ losses }) => losses },
    { name: 'When', width: '6rem', align: 'right', cell: ({ at }) => <Time at={at} /> },
    {
      name: 'Actions',
      saysItself: true,
      width: '6rem',
      align: 'right',
      cell: (row) => (
        <Button size="small" onClick={() => void retry(row)}>
          Retry
        </Button>
      ),
    },
  ];
  return (
    <>
      <h2 className="mb-2 text-lg font-semibold">Crashing work</h2>
      <Table
        name="Crashing work"
        list={list}
        columns={columns}
        keyOf={({ kind, id }) => `${kind}:${id}`}
        height="24rem"
        empty={
          <div className="card">
            <Empty title="No crashing work" icon={<CircleCheck className="size-5" aria-hidden="true" />}>
              Work is listed here after its process has exited twice while running it.
            </Empty>
          </div>
        }
      />
    </>
  );
}

function DeadLetters(): ReactNode {
  const { client } = useSession();
  const queries = useQueryClient();
  const [discarding, setDiscarding] = useState<DeadLetter | null>(null);
  const list = useList(['operator', 'dead-letters'], (cursor) =>
    client.operator.deadLetters({ limit: 50, ...(cursor ? { cursor } : {}) }),
  );
  const requeue = async ({ id }: DeadLetter): Promise<void> => {
    try {
      await client.operator.requeueDeadLetter(id);
      toast.done('Sent to its service again.');
      await queries.invalidateQueries({ queryKey: ['operator', 'dead-letters'] });
    } catch (error) {
      toast.failed(error);
    }
  };
  const columns: Column<DeadLetter>[] = [
    {
      name: 'Event',
      cell: ({ event, service }) => (
        <span className="block min-w-0">
          <span className="block truncate font-mono text-xs font-medium">{event}</span>
          <span className="block truncate text-sm text-soft">{service}</span>
        </span>
      ),
    },
    { name: 'Space', width: '10rem', cell: ({ spaceId }) => <SpaceName spaceId={spaceId} /> },
    { name: 'Reason', width: '11rem', cell: ({ reason }) => <span className="text-sm text-soft">{reason}</span> },
    { name: 'Size', width: '5rem', align: 'right', cell: ({ bytes }) => size(bytes) },
    { name: 'Last try', width: '6rem', align: 'right', cell: ({ lastAt }) => <Time at={lastAt} /> },
    {
      name: 'Actions',
      saysItself: true,
      width: '11rem',
      align: 'right',
      cell: (row) => (
        <span className="inline-flex gap-1">
          <Button size="small" onClick={() => void requeue(row)}>
            Requeue
          </Button>
          <Button size="small" look="danger" onClick={() => setDiscarding(row)}>
            Discard
          </Button>
        </span>
      ),
    },
  ];
  return (
    <>
      <h2 className="mt-6 mb-2 text-lg font-semibold">Dead letters</h2>
      <Table
        name="Dead letters"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        height="24rem"
        empty={
          <div className="card">
            <Empty title="No dead letters" icon={<CircleCheck className="size-5" aria-hidden="true" />}>
              Events are listed here that a service could not handle in any attempt.
            </Empty>
          </div>
        }
      />
      {discarding !== null && <Discard letter={discarding} onClose={() => setDiscarding(null)} />}
    </>
  );
}

function Discard({ letter, onClose }: { letter: DeadLetter; onClose: () => void }): ReactNode {
  const { client } = useSession();
  const [reason, setReason] = useState('');
  const discard = useAction(
    async () => {
      await client.operator.discardDeadLetter(letter.id, reason);
      onClose();
    },
    { changes: [['operator', 'dead-letters']], done: 'Discarded.' },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title="Discard event"
      description="No service will receive it. This cannot be undone."
    >
      <Form
        submit="Discard"
        isBusy={discard.isBusy}
        error={discard.error}
        onSubmit={() => discard.run()}
        onCancel={onClose}
        canSubmit={reason.trim() !== ''}
      >
        <AreaField label="Reason" value={reason} onChange={setReason} problem={problemOf(discard.error, 'reason')} />
      </Form>
    </Dialog>
  );
}
