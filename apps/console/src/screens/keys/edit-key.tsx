import { type ReactNode, useState } from 'react';
import type { ApiKey } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { Dialog } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { useAction } from '../../ui/use-action';
import { type KeyDraft, keyChangesOf, keyDraftOf } from './key-draft';
import { KeyFields } from './key-fields';

/** Key it by the key: it begins with what the key is now. */
export function EditKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }): ReactNode {
  const client = useClient();
  const [before] = useState(() => keyDraftOf(apiKey));
  const [draft, setDraft] = useState(before);
  const change = (changes: Partial<KeyDraft>): void => setDraft((old) => ({ ...old, ...changes }));
  const changes = keyChangesOf(draft, before);
  const isDirty = Object.keys(changes).length > 0;
  const save = useAction(() => client.keys.update(apiKey.id, changes), { changes: [['keys']], done: 'Key changed.' });
  const submit = async (): Promise<void> => {
    if (await save.run()) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Edit ${apiKey.name}`}
      description="Changes apply within a second. Scopes can only be removed, but for approvals:answer."
      wide
      isDirty={isDirty && !save.isBusy}
    >
      <Form
        submit="Save key"
        isBusy={save.isBusy}
        error={save.error}
        onSubmit={submit}
        onCancel={onClose}
        canSubmit={isDirty}
      >
        <KeyFields draft={draft} change={change} error={save.error} held={before} />
      </Form>
    </Dialog>
  );
}
