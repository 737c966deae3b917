import { type ReactNode, useState } from 'react';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { invitationLink } from '../../session/invitation-link';
import { useClient } from '../../session/session-context';
import { Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { NumberField, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { OneTimeSecret } from '../../ui/one-time-secret';
import { useAction } from '../../ui/use-action';

/** A Space for a person, who is invited by a link where there is no account of that address in it yet. */
export function NewSpace({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const client = useClient();
  const keys = useIdempotencyKey();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [tokens, setTokens] = useState<number | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const create = useAction(
    async () => {
      const space = { name, owner: { email }, ...(tokens === null ? {} : { tokens }) };
      const made = await client.operator.createSpace(space, { idempotencyKey: keys.keyFor(space) });
      keys.done();
      setName('');
      setEmail('');
      setTokens(null);
      onClose();
      if (made.invitation?.token !== undefined) setLink(invitationLink(made.invitation.token));
    },
    { changes: [['operator', 'spaces']], done: 'Space created.' },
  );
  return (
    <>
      <Dialog open={open} onClose={onClose} title="Create Space" description="Its owner gets a link to join it.">
        <Form
          submit="Create Space"
          isBusy={create.isBusy}
          error={create.error}
          onSubmit={() => create.run()}
          onCancel={onClose}
          canSubmit={name.trim() !== '' && email.trim() !== ''}
        >
          <TextField label="Name" value={name} onChange={setName} problem={problemOf(create.error, 'name')} />
          <TextField
            label="E-mail of the owner"
            type="email"
            value={email}
            onChange={setEmail}
            problem={problemOf(create.error, 'owner.email')}
          />
          <NumberField
            label="Tokens to start with"
            value={tokens}
            onChange={setTokens}
            min={0}
            step={1}
            problem={problemOf(create.error, 'tokens')}
            hint="Empty: as many as the configuration gives."
          />
        </Form>
      </Dialog>
      <OneTimeSecret title="Invitation" label="Link" value={link} onDone={() => setLink(null)}>
        <p className="text-soft">Send this link to the owner. It opens the Space for whoever has it.</p>
      </OneTimeSecret>
    </>
  );
}
