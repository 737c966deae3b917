import { type ReactNode, useState } from 'react';
import type { Endpoint } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { NumberField, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { useAction } from '../../ui/use-action';

export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }): ReactNode {
  const client = useClient();
  const [url, setUrl] = useState(endpoint.url ?? '');
  const [inFlight, setInFlight] = useState<number | null>(endpoint.inFlight);
  const save = useAction(
    () =>
      client.events.endpoints.update(endpoint.id, {
        ...(endpoint.transport === 'http' && url !== endpoint.url ? { url } : {}),
        ...(inFlight === null || inFlight === endpoint.inFlight ? {} : { inFlight }),
      }),
    { changes: [['endpoints']], done: 'Endpoint changed.' },
  );
  const submit = async (): Promise<void> => {
    if (await save.run()) onClose();
  };
  return (
    <Dialog open onClose={onClose} title={`Edit ${endpoint.name}`}>
      <Form
        submit="Save"
        isBusy={save.isBusy}
        error={save.error}
        onSubmit={submit}
        onCancel={onClose}
        canSubmit={inFlight !== null}
      >
        {endpoint.transport === 'http' && (
          <TextField label="Address" value={url} onChange={setUrl} problem={problemOf(save.error, 'url')} />
        )}
        <NumberField
          label="Deliveries at a time"
          min={1}
          value={inFlight}
          onChange={setInFlight}
          problem={problemOf(save.error, 'inFlight')}
        />
      </Form>
    </Dialog>
  );
}
