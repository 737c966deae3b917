import { type ReactNode, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { OperatorSpace } from '@switchyard/client';
import { NotFound } from '../../frame/not-found';
import { useClient, useSession } from '../../session/session-context';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog, Dialog } from '../../ui/dialog';
import { isNotFound, problemOf } from '../../ui/errors';
import { Facts } from '../../ui/facts';
import { AreaField, CheckField, NumberField, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { cost, exactTime, number, size } from '../../ui/format';
import { Note } from '../../ui/note';
import { Page, Section } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import { CREDIT_RANGE, creditProblem } from '../usage/credit-problem';
import { CeilingsForm } from './ceilings-form';

const crumbs = [{ label: 'Operator', to: '/operator' }];

export function OperatorSpacePage(): ReactNode {
  const { spaceId = '' }: { spaceId?: string } = useParams({ strict: false });
  const { client, user } = useSession();
  const [chosen, setChosen] = useState<'credit' | 'suspend' | 'resume' | 'payer' | null>(null);
  const none = (): void => setChosen(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['operator', 'spaces', 'one', spaceId],
    queryFn: () => client.operator.space(spaceId),
    enabled: user.operator === true,
  });
  if (user.operator !== true || (!data && isNotFound(error))) return <NotFound />;
  if (!data)
    return (
      <Page title="Space" crumbs={crumbs}>
        {error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading label="Loading the Space" lines={8} />
        )}
      </Page>
    );
  const isSuspended = data.status === 'SUSPENDED';
  return (
    <Page
      title={data.name}
      crumbs={crumbs}
      aside={<StatusBadge status={data.status} />}
      actions={
        <>
          {isSuspended ? (
            <Button onClick={() => setChosen('resume')}>Resume</Button>
          ) : (
            <Button look="danger" onClick={() => setChosen('suspend')}>
              Suspend
            </Button>
          )}
          <Button look="primary" onClick={() => setChosen('credit')}>
            Add credits
          </Button>
        </>
      }
    >
      {isSuspended && (
        <Note tone="warn" className="mb-4">
          Suspended: {data.suspendedReason}
        </Note>
      )}
      <Section title="Overview">
        <Facts
          of={[
            ['Balance', data.unmetered ? 'Unmetered' : `${number(data.balance)} tokens`],
            ['Used this month', `${number(data.usageThisMonth.tokens)} tokens`],
            ['Cost this month', cost(data.usageThisMonth.cost)],
            ['Calls this month', number(data.usageThisMonth.calls)],
            ['Stored', size(data.bytesStored)],
            ['Members', number(data.members)],
            ['Owners', data.owners.map(({ email }) => email).join(', ')],
            ['Created', exactTime(data.createdAt)],
            ['Id', <span className="font-mono text-sm">{data.id}</span>],
            ['Payer', <PayerOf key="payer" space={data} onChange={() => setChosen('payer')} />],
          ]}
        />
      </Section>
      <CeilingsForm key={JSON.stringify(data.ceilings)} space={data} />
      {chosen === 'credit' && <AddCredits space={data} onClose={none} />}
      {chosen === 'suspend' && <SuspendSpace space={data} onClose={none} />}
      {chosen === 'payer' && <ChangePayer space={data} onClose={none} />}
      {chosen === 'resume' && <ResumeSpace space={data} onClose={none} />}
    </Page>
  );
}

interface Props {
  space: OperatorSpace;
  onClose: () => void;
}

const SPACES = [['operator', 'spaces']] as const;

const PayerOf = ({ space, onChange }: { space: OperatorSpace; onChange: () => void }): ReactNode => (
  <span className="inline-flex flex-wrap items-center gap-2">
    {space.payer.id === space.id
      ? 'This Space'
      : `${space.payer.kind === 'user' ? 'Account' : 'Space'} ${space.payer.id}`}
    <Button size="small" look="ghost" onClick={onChange}>
      Change
    </Button>
  </span>
);

function AddCredits({ space, onClose }: Props): ReactNode {
  const client = useClient();
  const [tokens, setTokens] = useState<number | null>(null);
  const [note, setNote] = useState('');
  const [isRequested, setRequested] = useState(false);
  /** The same key as long as nothing is changed: sent again after a lost answer it is one credit. */
  const [idempotencyKey, setKey] = useState<string>(() => crypto.randomUUID());
  const changed = (): void => setKey(crypto.randomUUID());
  const credit = useAction(
    async (amount: number) => {
      await client.operator.credit(space.id, { tokens: amount, idempotencyKey, ...(note === '' ? {} : { note }) });
      onClose();
    },
    { changes: [...SPACES, ['usage']], done: 'Balance changed.' },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add credits"
      description="Recorded in the ledger of the Space and in its security events. A negative number is a correction."
    >
      <Form
        submit="Add credits"
        isBusy={credit.isBusy}
        error={credit.error}
        onSubmit={() => {
          const isRefused = creditProblem(tokens) !== undefined;
          setRequested(isRefused);
          if (tokens !== null && !isRefused) void credit.run(tokens);
        }}
        onCancel={onClose}
      >
        <NumberField
          label="Tokens"
          step={1}
          value={tokens}
          onChange={(next) => {
            setTokens(next);
            changed();
          }}
          problem={isRequested ? creditProblem(tokens) : problemOf(credit.error, 'tokens')}
          hint={CREDIT_RANGE}
        />
        <TextField
          label="Note"
          value={note}
          onChange={(next) => {
            setNote(next);
            changed();
          }}
          problem={problemOf(credit.error, 'note')}
          hint="For example an order number or a month."
        />
      </Form>
    </Dialog>
  );
}

function SuspendSpace({ space, onClose }: Props): ReactNode {
  const client = useClient();
  const [reason, setReason] = useState('');
  const suspend = useAction(
    async () => {
      await client.operator.suspend(space.id, reason);
      onClose();
    },
    { changes: SPACES, done: `${space.name} is suspended.` },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title="Suspend Space"
      description="Within a second, its credentials are refused and its streams end. Running work stops at its next step and continues after you resume the Space."
    >
      <Form
        submit="Suspend Space"
        isBusy={suspend.isBusy}
        error={suspend.error}
        onSubmit={() => suspend.run()}
        onCancel={onClose}
        canSubmit={reason.trim() !== ''}
      >
        <AreaField
          label="Reason"
          value={reason}
          onChange={setReason}
          problem={problemOf(suspend.error, 'reason')}
          hint="People of the Space read it."
        />
      </Form>
    </Dialog>
  );
}

function ResumeSpace({ space, onClose }: Props): ReactNode {
  const client = useClient();
  const resume = useAction(() => client.operator.resume(space.id), { changes: SPACES });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      action="Resume Space"
      onConfirm={async () => {
        if (await resume.run()) toast.done(`${space.name} is active again.`);
      }}
    >
      Its credentials work again, and its work goes on.
    </ConfirmDialog>
  );
}

function ChangePayer({ space, onClose }: Props): ReactNode {
  const client = useClient();
  const isOwn = space.payer.id === space.id;
  const [payer, setPayer] = useState(isOwn ? '' : space.payer.id);
  const [unmetered, setUnmetered] = useState(space.unmetered);
  const change = useAction(
    async () => {
      const changes = space.payer.kind === 'user' && payer === space.payer.id ? {} : { payer: payer.trim() || null };
      await client.operator.updateSpace(space.id, { ...changes, unmetered });
      onClose();
    },
    { changes: SPACES, done: 'Payer changed.' },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title="Payer"
      description="Spaces of one payer share workers, turns, connections and bytes as one Space does."
    >
      <Form submit="Save" isBusy={change.isBusy} error={change.error} onSubmit={() => change.run()} onCancel={onClose}>
        <TextField
          label="Id of the Space that pays"
          isCode
          value={payer}
          onChange={setPayer}
          problem={problemOf(change.error, 'payer')}
          hint="Empty: this Space pays for itself."
        />
        <CheckField
          label="Unmetered: tokens are counted, and a balance of 0 stops nothing"
          checked={unmetered}
          onChange={setUnmetered}
        />
      </Form>
    </Dialog>
  );
}
