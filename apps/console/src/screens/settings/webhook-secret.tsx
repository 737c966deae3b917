import { type ReactNode, useState } from 'react';
import { useClient, useSession } from '../../session/session-context';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { ConfirmDialog } from '../../ui/dialog';
import { Refusal } from '../../ui/note';
import { Section } from '../../ui/page';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';

/** The secret is in the page only while it is shown. */
export function WebhookSecret({ onRotated }: { onRotated: () => void }): ReactNode {
  const client = useClient();
  const { space } = useSession();
  const [secret, setSecret] = useState<string | null>(null);
  const [isRotating, setRotating] = useState(false);
  const show = useAction(async () => {
    const { webhookSecret = null, problem } = await client.spaces.get(space.id);
    if (problem !== undefined) throw new Error(problem);
    setSecret(webhookSecret);
  });
  const rotate = async (): Promise<void> => {
    setSecret((await client.spaces.rotateWebhookSecret(space.id)).webhookSecret);
    toast.done('The webhook secret is replaced.');
    onRotated();
  };
  return (
    <Section
      title="Webhook secret"
      actions={
        <>
          <Button
            size="small"
            isBusy={show.isBusy}
            onClick={() => (secret === null ? void show.run() : setSecret(null))}
          >
            {secret === null ? 'Show' : 'Hide'}
          </Button>
          <Button size="small" look="danger" onClick={() => setRotating(true)}>
            Rotate
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p className="text-soft">Signs the callbacks of jobs (Standard Webhooks), so that receivers can verify them.</p>
        {secret !== null && (
          <div className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-sunken px-3 py-2.5">
            <code aria-label="Webhook secret" className="min-w-0 flex-1 font-mono text-sm break-all">
              {secret}
            </code>
            <CopyButton text={secret} label="Copy webhook secret" bare />
          </div>
        )}
        <Refusal error={show.error} />
      </div>
      <ConfirmDialog
        open={isRotating}
        onClose={() => setRotating(false)}
        action="Rotate webhook secret"
        onConfirm={rotate}
      >
        Callbacks are signed with a new secret from now on. Receivers reject them until they know it.
      </ConfirmDialog>
    </Section>
  );
}
