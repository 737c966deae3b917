import { type ReactNode, useState } from 'react';
import type { Subscription } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { Dialog } from '../../ui/dialog';
import { CheckField } from '../../ui/field';
import { Form } from '../../ui/form';
import { useAction } from '../../ui/use-action';
import { FilterField, readFilter } from './filter-test';

/** The filter and the switch of a subscription; another task or event is another subscription. */
export function EditSubscription({ of, onClose }: { of: Subscription; onClose: () => void }): ReactNode {
  const client = useClient();
  const [text, setText] = useState(() => (of.filter === null ? '' : JSON.stringify(of.filter, null, 2)));
  const [active, setActive] = useState(of.active);
  const read = readFilter(text);
  const save = useAction(
    async () => {
      if (read.isValid) await client.events.updateSubscription(of.id, { active, filter: read.filter });
    },
    { changes: [['subscriptions']], done: 'Subscription saved.' },
  );
  const submit = async (): Promise<void> => {
    if (await save.run()) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Edit subscription"
      description={`Of ${of.event}, of ${of.appIdentifier}.`}
      wide
    >
      <Form
        submit="Save subscription"
        isBusy={save.isBusy}
        error={save.error}
        onSubmit={submit}
        onCancel={onClose}
        canSubmit={read.isValid}
      >
        <FilterField eventId={of.eventId} value={text} onChange={setText} error={save.error} />
        <CheckField
          label="Active"
          hint={
            of.origin === 'DEFAULT'
              ? "A default subscription that is changed is this Space's own from then on."
              : 'Paused, it keeps its filter and runs nothing.'
          }
          checked={active}
          onChange={setActive}
        />
      </Form>
    </Dialog>
  );
}
