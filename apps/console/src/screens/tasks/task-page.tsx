import { type ReactNode, lazy, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type Execution, SwitchyardError, type Task } from '@switchyard/client';
import { Play, Trash2 } from 'lucide-react';
import { useDraft } from '../../api/use-draft';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useRefresh } from '../../api/use-refresh';
import { useClient, useMay } from '../../session/session-context';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { problemOf, problemsOf } from '../../ui/errors';
import { CheckField, SelectField, TextField } from '../../ui/field';
import { Json, JsonField, asObject } from '../../ui/json';
import { LazyPart } from '../../ui/lazy-part';
import { NewerVersion } from '../../ui/newer-version';
import { Refusal } from '../../ui/note';
import { Page, Section } from '../../ui/page';
import { RecordOf } from '../../ui/record';
import { Loading } from '../../ui/states';
import { toast } from '../../ui/toast';
import { UnsavedDialog } from '../../ui/unsaved-dialog';
import { useRefusedField } from '../../ui/use-refused-field';
import { RunDialog } from '../executions/run-dialog';
import { LimitFields } from './limit-fields';
import { RunStep } from './run-step';
import { RunsOfTask } from './runs-of-task';
import { ScheduleFields } from './schedule-fields';
import { StepsEditor } from './steps-editor';
import { StepsJson } from './steps-json';
import {
  LIMITS,
  type StepDraft,
  type TaskDraft,
  bodyOf,
  changesOf,
  draftOf,
  emptyTask,
  isSameTask,
  stepsIn,
  textOfSteps,
} from './task-form';
import { LAST_RUNS, useLastRuns } from './use-last-runs';

const StepsYaml = lazy(async () => ({ default: (await import('./steps-yaml')).StepsYaml }));

const crumbs = [{ label: 'Tasks', to: '/tasks' }];

type View = 'form' | 'json' | 'yaml';

/** The steps in three ways, of which two can be gone to. */
const VIEWS: readonly (readonly [View, string])[] = [
  ['form', 'Edit in the form'],
  ['json', 'Edit as JSON'],
  ['yaml', 'Edit as YAML'],
];

const isConflict = (error: unknown): boolean => error instanceof SwitchyardError && error.status === 412;

export function TaskPage(): ReactNode {
  const { taskId = '' }: { taskId?: string } = useParams({ strict: false });
  const client = useClient();
  const isNew = taskId === 'new';
  const query = useQuery({
    queryKey: ['task', taskId],
    queryFn: () => client.tasks.get(taskId),
    enabled: !isNew,
  });
  if (isNew) return <Editor key="new" task={null} />;
  return (
    <RecordOf query={query} noun="task" crumbs={crumbs}>
      {(task) => <Editor key={task.id} task={task} />}
    </RecordOf>
  );
}

const taskDraftOf = (task: Task | null): TaskDraft => (task ? draftOf(task) : emptyTask);

function Editor({ task }: { task: Task | null }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayWrite = useMay('MEMBER');
  const keys = useIdempotencyKey();
  const form = useDraft(task, taskDraftOf, isSameTask);
  const { draft, before, isDirty } = form;
  const [open, setOpen] = useState<'run' | 'delete' | null>(null);
  const [tested, setTested] = useState<StepDraft | null>(null);
  const runs = useLastRuns(task?.id).data ?? [];
  useRefresh([...LAST_RUNS, task?.id], (row) => row.taskId === task?.id);
  const [isYaml, setYaml] = useState(false);
  const set = (changes: Partial<TaskDraft>): void => form.set({ ...draft, ...changes });
  const save = useMutation({
    mutationFn: async (): Promise<Task> => {
      if (task)
        return client.tasks.update(task.id, changesOf(draft, before), { ifVersion: form.version ?? task.version });
      const body = bodyOf(draft);
      return client.tasks.create(body, { idempotencyKey: keys.keyFor(body) });
    },
    onError: (error) => {
      // The newer version is read, to be chosen or replaced.
      if (isConflict(error)) void queries.invalidateQueries({ queryKey: ['task', task?.id] });
    },
    onSuccess: async (saved) => {
      if (task) form.saved(saved);
      else form.leave();
      queries.setQueryData(['task', saved.id], saved);
      toast.done(task ? 'Saved.' : `Task “${saved.name}” created.`);
      await queries.invalidateQueries({ queryKey: ['tasks'] });
      if (!task) await navigate({ to: `/tasks/${saved.id}`, ignoreBlocker: true });
    },
  });
  const remove = async (): Promise<void> => {
    if (!task) return;
    await client.tasks.remove(task.id);
    form.leave();
    await queries.invalidateQueries({ queryKey: ['tasks'] });
    await navigate({ to: '/tasks', ignoreBlocker: true });
  };
  const view = draft.stepsText === null ? 'form' : isYaml ? 'yaml' : 'json';
  const show = (next: View): void => {
    try {
      const steps = draft.stepsText === null ? draft.steps : stepsIn(draft.stepsText);
      if (steps === null) return;
      setYaml(next === 'yaml');
      if (next === 'form') set({ steps, stepsText: null });
      else if (draft.stepsText === null) set({ stepsText: textOfSteps(steps) });
    } catch (error) {
      toast.failed(error);
    }
  };
  const start = async (inputs: Record<string, unknown>): Promise<Execution> => {
    if (!task) throw new Error('The task is not saved yet.');
    const started = await client.tasks.execute(task.id, { inputs, idempotencyKey: keys.keyFor(inputs) });
    keys.done();
    return started;
  };
  const fields = useRefusedField<HTMLDivElement>(save.error);
  const off = { disabled: !mayWrite };
  return (
    <Page
      title={task?.name ?? 'Create task'}
      crumbs={crumbs}
      aside={task && !task.active && <Badge>off</Badge>}
      actions={
        mayWrite && (
          <>
            {task && (
              <Button
                icon={<Play className="size-4" aria-hidden="true" />}
                disabled={isDirty}
                onClick={() => setOpen('run')}
              >
                Run
              </Button>
            )}
            <Button
              look="primary"
              disabled={task !== null && (!isDirty || LIMITS.some(({ field }) => draft[field] === null))}
              isBusy={save.isPending}
              onClick={() => save.mutate()}
            >
              {task ? 'Save' : 'Create task'}
            </Button>
          </>
        )
      }
    >
      <NewerVersion of={form} noun="task" />
      {!isConflict(save.error) && <Refusal error={save.error} className="mb-4" />}
      <div ref={fields} className="grid items-start gap-4 xl:grid-cols-[2fr_1fr]">
        <Section
          title="Steps"
          actions={
            mayWrite &&
            VIEWS.filter(([name]) => name !== view).map(([name, label]) => (
              <Button
                key={name}
                size="small"
                disabled={draft.stepsText !== null && stepsIn(draft.stepsText) === null}
                onClick={() => show(name)}
              >
                {label}
              </Button>
            ))
          }
        >
          {draft.stepsText === null ? (
            <StepsEditor
              names={{ inputs: Object.keys(asObject(draft.inputs) ?? {}), isEvent: draft.type === 'EVENT' }}
              steps={draft.steps}
              onChange={(steps) => set({ steps })}
              problem={save.error}
              isReadOnly={!mayWrite}
              lastRun={runs[0] ?? null}
              onRun={task && runs.length > 0 ? setTested : null}
            />
          ) : isYaml ? (
            <LazyPart name="The editor" fallback={<Loading label="Loading the editor" />}>
              <StepsYaml text={draft.stepsText} onChange={(stepsText) => set({ stepsText })} problem={save.error} />
            </LazyPart>
          ) : (
            <StepsJson text={draft.stepsText} onChange={(stepsText) => set({ stepsText })} problem={save.error} />
          )}
        </Section>
        <div>
          <Section title="General">
            <div className="grid gap-4">
              <TextField
                label="Name"
                value={draft.name}
                onChange={(name) => set({ name })}
                problem={problemOf(save.error, 'name')}
                required
                {...off}
              />
              <TextField
                label="Description"
                value={draft.description}
                onChange={(description) => set({ description })}
                problem={problemOf(save.error, 'description')}
                {...off}
              />
              <SelectField
                label="Starts"
                value={draft.type}
                onChange={(value) => set({ type: value === 'SCHEDULE' || value === 'EVENT' ? value : 'MANUAL' })}
                options={[
                  { value: 'MANUAL', label: 'By hand' },
                  { value: 'SCHEDULE', label: 'On a schedule' },
                  { value: 'EVENT', label: 'When an event occurs' },
                ]}
                {...off}
              />
              {draft.type === 'SCHEDULE' && <ScheduleFields draft={draft} set={set} problem={save.error} {...off} />}
              <CheckField label="Active" checked={draft.active} onChange={(active) => set({ active })} {...off} />
              {mayWrite ? (
                <JsonField
                  label="Default inputs"
                  rows={3}
                  value={draft.inputs}
                  onChange={(inputs) => set({ inputs })}
                  problem={
                    asObject(draft.inputs) === null ? 'Must be a JSON object.' : problemsOf(save.error, 'inputs')
                  }
                />
              ) : (
                <Json label="Default inputs" value={task?.inputs} />
              )}
            </div>
          </Section>
          <Section title="Retry and limits">
            <LimitFields draft={draft} set={set} problem={save.error} isNew={task === null} {...off} />
          </Section>
          {task && mayWrite && (
            <Section title="Delete task">
              <div className="flex flex-wrap items-center gap-3">
                <p className="min-w-0 flex-1 basis-40 text-soft">It will not run again. Its executions stay.</p>
                <Button
                  look="danger"
                  icon={<Trash2 className="size-4" aria-hidden="true" />}
                  onClick={() => setOpen('delete')}
                >
                  Delete
                </Button>
              </div>
            </Section>
          )}
        </div>
      </div>
      {task && <RunsOfTask taskId={task.id} />}
      {task && open === 'run' && (
        <RunDialog
          action="Run"
          title={`Run ${task.name}`}
          inputs={task.inputs}
          run={start}
          onClose={() => setOpen(null)}
        />
      )}
      {task && tested && <RunStep step={tested} runs={runs} onClose={() => setTested(null)} />}
      <ConfirmDialog open={open === 'delete'} onClose={() => setOpen(null)} action="Delete task" onConfirm={remove}>
        Deletes “{task?.name}”. It will not run again. Its executions stay in the activity.
      </ConfirmDialog>
      <UnsavedDialog isDirty={isDirty} />
    </Page>
  );
}
