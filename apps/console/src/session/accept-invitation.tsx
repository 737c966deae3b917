import { type ReactNode, useState } from 'react';
import { problemOf } from '../ui/errors';
import { TextField } from '../ui/field';
import { auth } from './console-auth';
import { givenToken, tokenIn } from './invitation-link';
import { NewPasswordForm } from './new-password-form';

/** Makes an account of the invitation, with a password that the person chooses. */
export function AcceptInvitation(): ReactNode {
  const [invitation, setInvitation] = useState(givenToken);
  const [isGiven] = useState(invitation !== '');
  return (
    <NewPasswordForm
      submit="Join the Space"
      text="You are invited to a Space. Choose a password for your account in it."
      onSubmit={async (password) => {
        await auth.acceptInvitation({ token: tokenIn(invitation), password });
      }}
      canSubmit={invitation !== ''}
      above={(error) => !isGiven && <InvitationField value={invitation} onChange={setInvitation} error={error} />}
    />
  );
}

interface FieldProps {
  value: string;
  onChange: (value: string) => void;
  error: unknown;
}

export const InvitationField = ({ value, onChange, error }: FieldProps): ReactNode => (
  <TextField
    label="Invitation"
    isCode
    value={value}
    onChange={onChange}
    problem={problemOf(error, 'token')}
    hint="The link or the token that you were given."
  />
);
