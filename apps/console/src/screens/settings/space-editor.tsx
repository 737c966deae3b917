import { type ReactNode, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Space } from '@switchyard/client';
import { auth } from '../../session/console-auth';
import { useClient, useMay } from '../../session/session-context';
import { problemOf } from '../../ui/errors';
import { CheckField, NumberField, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { Section } from '../../ui/page';
import { UnsavedDialog } from '../../ui/unsaved-dialog';
import { useAction } from '../../ui/use-action';
import { ApprovalRules } from './approval-rules';
import { LIMITS, changesOf, draftOf, hasInvalidFilter } from './space-form';

/** Settings of the Space, read-only without the permission to change them. */
export function SpaceEditor({ space }: { space: Space }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const mayWrite = useMay('ADMIN');
  const [before, setBefore] = useState(() => draftOf(space));
  const [draft, setDraft] = useState(before);
  const changes = changesOf(draft, before);
  const isDirty = Object.keys(changes).length > 0;
  const save = useAction(
    async () => {
      const saved = await client.spaces.update(space.id, changes);
      auth.changed(saved);
      setBefore(draftOf(saved));
      setDraft(draftOf(saved));
      for (const queryKey of [['spaces'], ['usage'], ['security-events']]) void queries.invalidateQueries({ queryKey });
    },
    { done: 'Settings saved.' },
  );
  const fields = (
    <>
      <Section title="Space">
        <TextField
          label="Space name"
          className="max-w-md"
          value={draft.name}
          onChange={(name) => setDraft({ ...draft, name })}
          problem={problemOf(save.error, 'name')}
          disabled={!mayWrite}
        />
      </Section>
      <Section title="Limits">
        <div className="grid gap-4 sm:grid-cols-3">
          {LIMITS.map(({ field, label, hint, min }) => (
            <NumberField
              key={field}
              label={label}
              hint={hint}
              min={min}
              placeholder="Default"
              value={draft.limits[field]}
              onChange={(value) => setDraft({ ...draft, limits: { ...draft.limits, [field]: value } })}
              problem={problemOf(save.error, `settings.${field}`)}
              disabled={!mayWrite}
            />
          ))}
        </div>
      </Section>
      <Section title="Approvals">
        <ApprovalRules
          rules={draft.approvals}
          onChange={(approvals) => setDraft({ ...draft, approvals })}
          error={save.error}
          isReadOnly={!mayWrite}
        />
      </Section>
      <Section title="Traces">
        <CheckField
          label="Record content in traces"
          hint="Sends prompts, answers, tool arguments and results to the trace collector of the platform, with secrets of the Space masked, if the operator allows it. Everyone with access to the traces can read them."
          checked={draft.captureContent}
          onChange={(captureContent) => setDraft({ ...draft, captureContent })}
          disabled={!mayWrite}
        />
      </Section>
    </>
  );
  if (!mayWrite) return fields;
  return (
    <div className="mb-6">
      <Form
        submit="Save"
        isBusy={save.isBusy}
        error={save.error}
        onSubmit={save.run}
        canSubmit={isDirty && !draft.approvals.some(hasInvalidFilter)}
      >
        <div>{fields}</div>
      </Form>
      <UnsavedDialog isDirty={isDirty} />
    </div>
  );
}
