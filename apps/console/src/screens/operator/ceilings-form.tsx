import { type ReactNode, useState } from 'react';
import type { Ceilings, OperatorSpace } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { problemOf } from '../../ui/errors';
import { NumberField } from '../../ui/field';
import { Form } from '../../ui/form';
import { Section } from '../../ui/page';
import { useAction } from '../../ui/use-action';

const LABELS: Record<keyof Ceilings, string> = {
  dailyTokens: 'Tokens a day',
  monthlyTokens: 'Tokens a month',
  requestsPerMinute: 'Requests a minute',
  taskConcurrency: 'Task executions at once',
  jobConcurrency: 'Jobs at once',
  members: 'Members',
  agents: 'Agents',
  tasks: 'Tasks',
  datasets: 'Datasets',
  records: 'Records',
  bytes: 'Bytes of records',
  fileBytes: 'Bytes of files',
  keys: 'Active keys',
};

const NAMES = Object.keys(LABELS) as (keyof Ceilings)[];

/** Ceilings of the Space. Empty means the configured default, 0 allows none. */
export function CeilingsForm({ space }: { space: OperatorSpace }): ReactNode {
  const client = useClient();
  const [draft, setDraft] = useState<Ceilings>(space.ceilings);
  const changes = Object.fromEntries(
    NAMES.flatMap((name) => (draft[name] === space.ceilings[name] ? [] : [[name, draft[name]]])),
  );
  const save = useAction(() => client.operator.updateSpace(space.id, { ceilings: changes }), {
    changes: [['operator', 'spaces']],
    done: 'Ceilings changed.',
  });
  return (
    <Section title="Ceilings">
      <Form
        submit="Save ceilings"
        isBusy={save.isBusy}
        error={save.error}
        onSubmit={() => save.run()}
        canSubmit={Object.keys(changes).length > 0}
      >
        <p className="text-soft">
          Upper limits of this Space. An empty field means the default of the platform; 0 allows nothing. A ceiling
          below the present number deletes nothing.
        </p>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-4">
          {NAMES.map((name) => (
            <NumberField
              key={name}
              label={LABELS[name]}
              min={0}
              step={1}
              value={draft[name]}
              onChange={(value) => setDraft({ ...draft, [name]: value })}
              problem={problemOf(save.error, `ceilings.${name}`)}
            />
          ))}
        </div>
      </Form>
    </Section>
  );
}
