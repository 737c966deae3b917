import { type ReactNode, useState } from 'react';
import type { QueryKey } from '@tanstack/react-query';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { NumberField } from '../../ui/field';
import { Form } from '../../ui/form';
import { useAction } from '../../ui/use-action';

interface Props {
  /** The record's id; null closes the dialog. */
  id: string | null;
  title: string;
  description: string;
  submit: string;
  /** Queries to refetch. */
  changes: QueryKey;
  onClose: () => void;
  rotate: (id: string, rotation: { graceSeconds: number }, options: { idempotencyKey: string }) => Promise<void>;
}

const USUAL_MINUTES = 60;

/** Gives a credential a new value; the old one stays valid for a grace period. */
export function RotateDialog({ id, title, description, submit, changes, onClose, rotate }: Props): ReactNode {
  const [minutes, setMinutes] = useState<number | null>(USUAL_MINUTES);
  const keys = useIdempotencyKey();
  // A second rotation would end the old value at once: a repeat after a lost answer must not be one.
  const action = useAction(
    async (of: string) => {
      const rotation = { graceSeconds: Math.round((minutes ?? USUAL_MINUTES) * 60) };
      const idempotencyKey = keys.keyFor({ id: of, ...rotation });
      await rotate(of, rotation, { idempotencyKey });
      keys.done();
    },
    { changes: [changes] },
  );
  return (
    <Dialog open={id !== null} onClose={onClose} title={title} description={description}>
      <Form
        submit={submit}
        isBusy={action.isBusy}
        error={action.error}
        onCancel={onClose}
        onSubmit={() => (id === null ? undefined : action.run(id))}
        canSubmit={minutes !== null}
      >
        <NumberField
          label="Grace period in minutes"
          min={0}
          value={minutes}
          onChange={setMinutes}
          // No period is sent as 0: an empty field must not mean it.
          problem={minutes === null ? 'Enter a number.' : problemOf(action.error, 'graceSeconds')}
        />
      </Form>
    </Dialog>
  );
}
