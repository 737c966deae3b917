import type { ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Dataset } from '@switchyard/client';
import { useDraft } from '../../api/use-draft';
import { useClient, useMay } from '../../session/session-context';
import { Button } from '../../ui/button';
import { problemOf } from '../../ui/errors';
import { Facts } from '../../ui/facts';
import { TextField } from '../../ui/field';
import { NewerVersion } from '../../ui/newer-version';
import { Refusal } from '../../ui/note';
import { Json } from '../../ui/json';
import { Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { UnsavedDialog } from '../../ui/unsaved-dialog';
import { useAction } from '../../ui/use-action';
import { DatasetFrame } from './dataset-frame';
import { type FieldDraft, draftOfField, fieldOf } from './field-draft';
import { FieldEditor } from './field-editor';

export const SchemaPage = (): ReactNode => (
  <DatasetFrame>{(dataset) => <Schema key={dataset.id} dataset={dataset} />}</DatasetFrame>
);

interface SchemaDraft {
  name: string;
  description: string;
  /** Fields that are new: those that are there stay as they are. */
  added: readonly FieldDraft[];
}

const draftOf = (dataset: Dataset | null): SchemaDraft => ({
  name: dataset?.name ?? '',
  description: dataset?.description ?? '',
  added: [],
});

function Schema({ dataset }: { dataset: Dataset }): ReactNode {
  const client = useClient();
  const mayWrite = useMay('MEMBER');
  const queries = useQueryClient();
  const form = useDraft(dataset, draftOf);
  const { draft, before, isDirty } = form;
  const { name, description, added } = draft;
  const set = (changes: Partial<SchemaDraft>): void => form.set({ ...draft, ...changes });
  const stored = dataset.schema.fields.map(draftOfField);
  const save = useAction(
    async () => {
      const saved = await client.datasets.change(dataset.id, {
        ...(name === before.name ? {} : { name }),
        ...(description === before.description ? {} : { description: description === '' ? null : description }),
        // The whole list: what is there as it was read, and what is new.
        ...(added.length === 0
          ? {}
          : { schema: { ...dataset.schema, fields: [...dataset.schema.fields, ...added.map(fieldOf)] } }),
      });
      form.saved(saved);
      queries.setQueryData(['datasets', saved.id, 'dataset'], saved);
    },
    { changes: [['datasets']], done: 'Saved.' },
  );
  const off = { disabled: !mayWrite };
  return (
    <>
      <NewerVersion of={form} noun="dataset" />
      <Refusal error={save.error} className="mb-4" />
      <Section title="General">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Name"
            value={name}
            onChange={(next) => set({ name: next })}
            problem={problemOf(save.error, 'name')}
            {...off}
          />
          <TextField
            label="Description"
            value={description}
            onChange={(next) => set({ description: next })}
            problem={problemOf(save.error, 'description')}
            {...off}
          />
        </div>
        <div className="mt-4">
          <Facts
            of={[
              ['Full-text language', dataset.schema.language ?? 'english'],
              ['Version', String(dataset.version)],
              ['Created', <Time key="at" at={dataset.createdAt} />],
            ]}
          />
        </div>
      </Section>
      <Section title="Fields">
        <FieldEditor
          fields={[...stored, ...added]}
          onChange={(fields) => set({ added: fields.filter(({ isStored }) => !isStored) })}
          error={save.error}
          isReadOnly={!mayWrite}
        />
        {mayWrite && (
          <div className="mt-4 flex items-center justify-end gap-3 border-t border-line pt-4">
            <p className="flex-1 text-sm text-faint">Fields can be added. Existing fields cannot be changed.</p>
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
