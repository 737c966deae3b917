import { type ReactNode, useState } from 'react';
import { useClient } from '../../session/session-context';
import { Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { NumberField, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { useAction } from '../../ui/use-action';
import { CREDIT_RANGE, creditProblem } from './credit-problem';

interface Draft {
  tokens: number | null;
  note: string;
  /** Sent again after a lost answer, it is still one credit. */
  idempotencyKey: string;
}

const emptyDraft = (): Draft => ({ tokens: null, note: '', idempotencyKey: crypto.randomUUID() });

export function CreditsDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const client = useClient();
  const [draft, setDraft] = useState(emptyDraft);
  const change = (changes: Partial<Draft>): void =>
    setDraft((old) => ({ ...old, ...changes, idempotencyKey: crypto.randomUUID() }));
  const [isRequested, setRequested] = useState(false);
  const credit = useAction(
    (tokens: number) => {
      const { note, idempotencyKey } = draft;
      return client.usage.credit({ tokens, idempotencyKey, ...(note === '' ? {} : { note }) });
    },
    { changes: [['usage']], done: 'Balance changed.' },
  );
  const submit = async (): Promise<void> => {
    const isRefused = creditProblem(draft.tokens) !== undefined;
    setRequested(isRefused);
    if (draft.tokens === null || isRefused || !(await credit.run(draft.tokens))) return;
    setDraft(emptyDraft());
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add credits"
      description="Recorded in the ledger with your name. A negative number reduces the balance, even below 0."
    >
      <Form submit="Add credits" isBusy={credit.isBusy} error={credit.error} onSubmit={submit} onCancel={onClose}>
        <NumberField
          label="Tokens"
          value={draft.tokens}
          onChange={(tokens) => change({ tokens })}
          problem={isRequested ? creditProblem(draft.tokens) : problemOf(credit.error, 'tokens')}
          hint={CREDIT_RANGE}
          step={1}
        />
        <TextField
          label="Note"
          value={draft.note}
          onChange={(note) => change({ note })}
          problem={problemOf(credit.error, 'note')}
          hint="For example an order number or a month."
        />
      </Form>
    </Dialog>
  );
}
