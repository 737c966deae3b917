import { type ReactNode, useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import type { Execution } from '@switchyard/client';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { size } from '../../ui/format';
import { JsonField, asObject } from '../../ui/json';
import { Note, Refusal } from '../../ui/note';
import { useAction } from '../../ui/use-action';
import { type Truncated, isTruncated } from './truncated';

interface Props {
  action: 'Run' | 'Rerun';
  title: string;
  inputs: Record<string, unknown> | Truncated;
  run: (inputs: Record<string, unknown>, idempotencyKey: string) => Promise<Execution>;
  /** With the inputs of before, to the letter: what is not edited is not sent. */
  runUnchanged?: (idempotencyKey: string) => Promise<Execution>;
  onClose: () => void;
}

/** With the inputs that are given here; what it starts is opened. */
export function RunDialog({ action, title, inputs, run, runUnchanged, onClose }: Props): ReactNode {
  const navigate = useNavigate();
  const keys = useIdempotencyKey();
  const isLong = isTruncated(inputs);
  const [before] = useState(() => (isLong ? '' : JSON.stringify(inputs, null, 2)));
  const [text, setText] = useState(before);
  const value = isLong ? {} : asObject(text);
  const start = useAction(
    async () => {
      const key = keys.keyFor(text);
      const { id } = await (text === before && runUnchanged ? runUnchanged(key) : run(value ?? {}, key));
      keys.done();
      onClose();
      await navigate({ to: `/executions/${id}` });
    },
    { changes: [['executions']] },
  );
  return (
    <Dialog open onClose={onClose} title={title} isDirty={text !== before && !start.isBusy}>
      {isLong ? (
        <Note tone="warn">
          The inputs are too long to be edited here ({size(inputs.bytes)}). They are used unchanged.
        </Note>
      ) : (
        <JsonField
          label="Inputs"
          value={text}
          onChange={setText}
          problem={value === null ? 'Must be a JSON object.' : undefined}
        />
      )}
      <Refusal error={start.error} className="mt-3" />
      <div className="mt-4 flex justify-end">
        <Button look="primary" disabled={value === null} isBusy={start.isBusy} onClick={() => void start.run()}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
