import { type ReactNode, useState } from 'react';
import type { NatsAccount, NatsAccountWithSeed } from '@switchyard/client';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useClient, useSession } from '../../session/session-context';
import { Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { NumberField } from '../../ui/field';
import { Form } from '../../ui/form';
import { useAction } from '../../ui/use-action';

interface Props {
  account: NatsAccount;
  onClose: () => void;
  onMade: (account: NatsAccountWithSeed) => void;
}

export function RotateAccount({ account, onClose, onMade }: Props): ReactNode {
  const client = useClient();
  const { space } = useSession();
  const keys = useIdempotencyKey();
  const [minutes, setMinutes] = useState<number | null>(60);
  const rotate = useAction(
    async () => {
      const rotation = { graceSeconds: Math.round((minutes ?? 0) * 60) };
      const idempotencyKey = keys.keyFor({ id: account.id, ...rotation });
      onMade(await client.natsAccounts.rotate(space.id, account.id, rotation, { idempotencyKey }));
      keys.done();
    },
    { changes: [['nats-accounts']] },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Rotate ${account.name}`}
      description="The account gets a new seed. The old one stays valid for the grace period, so that the service has time to change."
    >
      <Form
        submit="Rotate account"
        isBusy={rotate.isBusy}
        error={rotate.error}
        onCancel={onClose}
        onSubmit={() => rotate.run()}
        canSubmit={minutes !== null}
      >
        <NumberField
          label="Grace period in minutes"
          min={0}
          value={minutes}
          onChange={setMinutes}
          problem={minutes === null ? 'Enter a number.' : problemOf(rotate.error, 'graceSeconds')}
        />
      </Form>
    </Dialog>
  );
}
