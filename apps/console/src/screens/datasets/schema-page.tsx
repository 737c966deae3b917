import { type ReactNode, useState } from 'react';
import type { Dataset } from '@switchyard/client';
import { useClient, useMay } from '../../session/session-context';
import { Button } from '../../ui/button';
import { problemOf } from '../../ui/errors';
import { Facts } from '../../ui/facts';
import { TextField } from '../../ui/field';
import { Refusal } from '../../ui/note';
import { Json } from '../../ui/json';
import { Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { UnsavedDialog } from '../../ui/unsaved-dialog';
import { useDeed } from '../../ui/use-deed';
import { DatasetFrame } from './dataset-frame';
import { type FieldDraft, draftOfField, fieldOf } from './field-draft';
import { FieldEditor } from './field-editor';

export const SchemaPage = (): ReactNode => (
  <DatasetFrame>{(dataset) => <Schema key={`${dataset.id}-${dataset.version}`} dataset={dataset} />}</DatasetFrame>
);

function Schema({ dataset }: { dataset: Dataset }): ReactNode {
  const client = useClient();
  const mayWrite = useMay('MEMBER');
  const [name, setName] = useState(dataset.name);
  const [description, setDescription] = useState(dataset.description ?? '');
  const [added, setAdded] = useState<readonly FieldDraft[]>([]);
  const stored = dataset.schema.fields.map(draftOfField);
  const isDirty = name !== dataset.name || description !== (dataset.description ?? '') || added.length > 0;
  const save = useDeed(
    () =>
      client.datasets.change(dataset.id, {
        ...(name === dataset.name ? {} : { name }),
        ...(description === (dataset.description ?? '')
          ? {}
          : { description: description === '' ? null : description }),
        // The whole list: what is there as it was read, and what is new.
        ...(added.length === 0
          ? {}
          : { schema: { ...dataset.schema, fields: [...dataset.schema.fields, ...added.map(fieldOf)] } }),
      }),
    { changes: [['datasets']], done: 'Saved.' },
  );
  const off = { disabled: !mayWrite };
  return (
    <>
      <div className="mb-4 empty:hidden">
        <Refusal error={save.error} />
      </div>
      <Section title="What it is">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Name" value={name} onChange={setName} problem={problemOf(save.error, 'name')} {...off} />
          <TextField
            label="Description"
            value={description}
            onChange={setDescription}
            problem={problemOf(save.error, 'description')}
            {...off}
          />
        </div>
        <div className="mt-4">
          <Facts
            of={[
              ['Language of full text', dataset.schema.language ?? 'english'],
              ['Version', String(dataset.version)],
              ['Made', <Time key="at" at={dataset.createdAt} />],
            ]}
          />
        </div>
      </Section>
      <Section title="Fields">
        <FieldEditor
          fields={[...stored, ...added]}
          onChange={(fields) => setAdded(fields.filter(({ isStored }) => !isStored))}
          error={save.error}
          isReadOnly={!mayWrite}
        />
        {mayWrite && (
          <div className="mt-4 flex items-center justify-end gap-3 border-t border-line pt-4">
            <p className="flex-1 text-sm text-faint">Fields can be added. Those that are there stay as they are.</p>
            <Button look="primary" disabled={!isDirty} isBusy={save.isBusy} onClick={() => void save.run()}>
              Save
            </Button>
          </div>
        )}
      </Section>
      <Section title="As JSON">
        <Json label="The schema" value={dataset.schema} />
      </Section>
      <UnsavedDialog isDirty={isDirty && !save.isBusy} />
    </>
  );
}
