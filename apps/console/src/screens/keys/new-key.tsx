import { type ReactNode, useState } from 'react';
import type { ApiKeyWithValue } from '@switchyard/client';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useClient } from '../../session/session-context';
import { Dialog } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { useAction } from '../../ui/use-action';
import { type KeyDraft, emptyKey, newKeyOf } from './key-draft';
import { KeyFields } from './key-fields';

interface Props {
  open: boolean;
  onClose: () => void;
  onMade: (key: ApiKeyWithValue) => void;
}

export function NewKey({ open, onClose, onMade }: Props): ReactNode {
  const client = useClient();
  const keys = useIdempotencyKey();
  const [draft, setDraft] = useState(emptyKey);
  const change = (changes: Partial<KeyDraft>): void => setDraft((old) => ({ ...old, ...changes }));
  const create = useAction(
    async () => onMade(await client.keys.create(newKeyOf(draft), { idempotencyKey: keys.keyFor(draft) })),
    { changes: [['keys']] },
  );
  const submit = async (): Promise<void> => {
    if (!(await create.run())) return;
    keys.done();
    setDraft(emptyKey);
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Create key"
      description="A key acts in this Space with your permissions."
      wide
    >
      <Form submit="Create key" isBusy={create.isBusy} error={create.error} onSubmit={submit} onCancel={onClose}>
        <KeyFields draft={draft} change={change} error={create.error} />
      </Form>
    </Dialog>
  );
}
