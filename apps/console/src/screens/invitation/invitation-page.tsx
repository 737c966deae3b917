import { type ReactNode, useState } from 'react';
import { InvitationField } from '../../session/accept-invitation';
import { auth } from '../../session/console-auth';
import { givenToken, tokenIn } from '../../session/invitation-link';
import { useSession } from '../../session/session-context';
import { Button } from '../../ui/button';
import { Refusal } from '../../ui/note';
import { Page, Section } from '../../ui/page';
import { useAction } from '../../ui/use-action';

/** For a person who is signed in: their account joins another Space. */
export function InvitationPage(): ReactNode {
  const { user } = useSession();
  const [invitation, setInvitation] = useState(givenToken);
  const [isGiven] = useState(invitation !== '');
  const join = useAction(() => auth.acceptInvitation({ token: tokenIn(invitation) }));
  return (
    <Page title="Invitation" description="You are invited to a Space.">
      <div className="max-w-xl">
        <Section title="Join the Space">
          <div className="grid gap-4">
            {!isGiven && <InvitationField value={invitation} onChange={setInvitation} error={join.error} />}
            <p>
              You are signed in as <strong>{user.email}</strong>. This account joins the Space and keeps its password.
            </p>
            <Refusal error={join.error} />
            <div className="flex flex-wrap justify-end gap-2">
              <Button onClick={() => void auth.signOut()}>Use another account</Button>
              <Button look="primary" isBusy={join.isBusy} disabled={invitation === ''} onClick={() => void join.run()}>
                Join with this account
              </Button>
            </div>
          </div>
        </Section>
      </div>
    </Page>
  );
}
