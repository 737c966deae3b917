import { type ReactNode, useState } from 'react';
import type { Manifest } from '@switchyard/client';
import { Dialog } from '../../ui/dialog';
import { problemsOf } from '../../ui/errors';
import { Form } from '../../ui/form';
import { JsonField, asObject } from '../../ui/json';
import { useAction } from '../../ui/use-action';
import { changesOf } from './manifest-changes';

interface Props {
  action: 'Install application' | 'Upgrade application';
  description: string;
  manifest: Manifest;
  /** The installed manifest. */
  installed?: Manifest;
  /** The key is for one manifest: the same again, after an answer that was lost, does nothing twice. */
  send: (manifest: Manifest, idempotencyKey: string) => Promise<unknown>;
  onClose: () => void;
}

export function ManifestForm({ action, description, manifest, installed, send, onClose }: Props): ReactNode {
  const [text, setText] = useState(() => JSON.stringify(manifest, null, 2));
  const [key, setKey] = useState(() => crypto.randomUUID());
  const value = asObject(text);
  // The API reports an invalid manifest.
  const mutation = useAction(() => send((value ?? {}) as Manifest, key), {
    changes: [['applications'], ['events'], ['subscriptions']],
  });
  const write = (next: string): void => {
    setText(next);
    setKey(crypto.randomUUID());
  };
  const submit = async (): Promise<void> => {
    if (await mutation.run()) onClose();
  };
  const changes = installed && value ? changesOf(installed, value) : [];
  return (
    <Dialog open onClose={onClose} title={action} description={description} wide>
      <Form
        submit={action}
        isBusy={mutation.isBusy}
        error={mutation.error}
        onSubmit={submit}
        onCancel={onClose}
        canSubmit={value !== null}
      >
        <JsonField
          label="Manifest"
          value={text}
          onChange={write}
          rows={16}
          problem={value === null ? 'This is no JSON object yet.' : problemsOf(mutation.error, 'manifest')}
        />
        {installed && (
          <section aria-label="What changes" className="rounded-lg border border-line px-3 py-2">
            <h3 className="text-sm font-medium">What changes</h3>
            {changes.length === 0 ? (
              <p className="text-sm text-faint">Nothing yet.</p>
            ) : (
              <ul className="list-disc pl-5 text-sm wrap-anywhere">
                {changes.map((change) => (
                  <li key={change}>{change}</li>
                ))}
              </ul>
            )}
          </section>
        )}
      </Form>
    </Dialog>
  );
}
