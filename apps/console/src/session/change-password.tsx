import { type ReactNode, useState } from 'react';
import { Dialog } from '../ui/dialog';
import { problemOf } from '../ui/errors';
import { TextField } from '../ui/field';
import { Form } from '../ui/form';
import { useAction } from '../ui/use-action';
import { auth } from './console-auth';
import { useSession } from './session-context';

/** Of one's own account. */
export function ChangePassword({ onClose }: { onClose: () => void }): ReactNode {
  const { user, space } = useSession();
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const [repeated, setRepeated] = useState('');
  const change = useAction(() => auth.changePassword({ user, space }, { currentPassword, newPassword }), {
    done: 'Password changed.',
  });
  const submit = async (): Promise<void> => {
    if (await change.run()) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Change password"
      description="All other sign-ins of your account end. Keys stay valid."
    >
      <Form
        submit="Change password"
        isBusy={change.isBusy}
        error={change.error}
        onSubmit={submit}
        onCancel={onClose}
        canSubmit={currentPassword !== '' && newPassword !== '' && repeated === newPassword}
      >
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={currentPassword}
          onChange={setCurrent}
          problem={problemOf(change.error, 'currentPassword')}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          value={newPassword}
          onChange={setNew}
          problem={problemOf(change.error, 'newPassword')}
          hint="12 characters or more."
        />
        <TextField
          label="Repeat password"
          type="password"
          autoComplete="new-password"
          value={repeated}
          onChange={setRepeated}
          problem={repeated !== '' && repeated !== newPassword ? 'The passwords differ.' : undefined}
        />
      </Form>
    </Dialog>
  );
}
