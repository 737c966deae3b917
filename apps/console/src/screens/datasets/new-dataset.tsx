import { type ReactNode, useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useClient } from '../../session/session-context';
import { Button } from '../../ui/button';
import { problemOf } from '../../ui/errors';
import { TextField } from '../../ui/field';
import { Refusal } from '../../ui/note';
import { Page, Section } from '../../ui/page';
import { UnsavedDialog } from '../../ui/unsaved-dialog';
import { useAction } from '../../ui/use-action';
import { useRefusedField } from '../../ui/use-refused-field';
import { type FieldDraft, fieldOf } from './field-draft';
import { FieldEditor } from './field-editor';

const crumbs = [{ label: 'Datasets', to: '/datasets' }];

export function NewDatasetPage(): ReactNode {
  const client = useClient();
  const navigate = useNavigate();
  const keys = useIdempotencyKey();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [fields, setFields] = useState<readonly FieldDraft[]>([]);
  const [isMade, setMade] = useState(false);
  const save = useAction(
    async () => {
      const body = { name, schema: { fields: fields.map(fieldOf) }, ...(description === '' ? {} : { description }) };
      const made = await client.datasets.create(body, { idempotencyKey: keys.keyFor(body) });
      setMade(true);
      await navigate({ to: `/datasets/${made.id}`, ignoreBlocker: true });
    },
    { changes: [['datasets']], done: 'Dataset created.' },
  );
  const form = useRefusedField<HTMLDivElement>(save.error);
  return (
    <Page
      title="Create dataset"
      crumbs={crumbs}
      actions={
        <Button look="primary" isBusy={save.isBusy} onClick={() => void save.run()}>
          Create dataset
        </Button>
      }
    >
      <Refusal error={save.error} className="mb-4" />
      <div ref={form}>
        <Section title="General">
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField label="Name" value={name} onChange={setName} problem={problemOf(save.error, 'name')} required />
            <TextField
              label="Description"
              value={description}
              onChange={setDescription}
              problem={problemOf(save.error, 'description')}
            />
          </div>
        </Section>
        <Section title="Fields">
          <FieldEditor fields={fields} onChange={setFields} error={save.error} />
        </Section>
      </div>
      <UnsavedDialog isDirty={!isMade && (name !== '' || description !== '' || fields.length > 0)} />
    </Page>
  );
}
