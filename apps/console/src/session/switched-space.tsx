import type { ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Refusal } from '../ui/note';
import { useAction } from '../ui/use-action';
import { auth } from './console-auth';
import type { Session } from './session-context';

type Identity = Pick<Session, 'user' | 'space'>;

/** Another tab has switched the session to another Space. Unsaved input is kept until the user decides. */
export function SwitchedSpace({ here, there }: { here: Identity; there: Identity }): ReactNode {
  const queries = useQueryClient();
  const back = useAction(async () => {
    await auth.switchSpace(here.space.id);
    void queries.invalidateQueries();
  });
  const go = useAction(async () => {
    await auth.moveThere();
    // The address is that of a record of the other Space.
    window.location.assign('/console/activity');
  });
  const isSamePerson = here.user.id === there.user.id;
  const text = isSamePerson
    ? `You opened the Space ${there.space.name} in another tab. This page is of ${here.space.name}.`
    : `${there.user.email} signed in in another tab. This page is of ${here.user.email}.`;
  return (
    <Dialog open isFixed title="You are in another Space now" description={text} onClose={() => undefined}>
      <Refusal error={back.error ?? go.error} className="mb-3" />
      <div className="flex flex-wrap justify-end gap-2">
        {isSamePerson && (
          <Button isBusy={back.isBusy} onClick={() => void back.run()}>
            Back to {here.space.name}
          </Button>
        )}
        <Button look="primary" isBusy={go.isBusy} onClick={() => void go.run()}>
          Go to {there.space.name}
        </Button>
      </div>
    </Dialog>
  );
}
