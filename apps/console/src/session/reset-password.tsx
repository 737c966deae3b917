import type { ReactNode } from 'react';
import { ConsoleSession } from '@switchyard/client';
import { NewPasswordForm } from './new-password-form';
import { resetToken } from './reset-link';

/** Sets a new password with the link that an operator has made. All sign-ins of the person end with it. */
export function ResetPassword({ onDone }: { onDone: () => void }): ReactNode {
  const reset = async (password: string): Promise<void> => {
    const session = new ConsoleSession({ baseUrl: window.location.origin });
    await session.resetPassword({ token: resetToken(), password });
    window.history.replaceState(window.history.state, '', '/console/');
    onDone();
  };
  return (
    <NewPasswordForm
      submit="Set password"
      text="Choose a new password. You are signed out everywhere when it is set."
      onSubmit={reset}
    />
  );
}
