import { type ReactNode, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { Task } from '@switchyard/client';
import { Play, Trash2 } from 'lucide-react';
import { NotFound } from '../../frame/not-found';
import { useClient, useMay } from '../../session/session-context';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { isNotFound, messageOf, problemOf } from '../../ui/errors';
import { CheckField, SelectField, TextField } from '../../ui/field';
import { Json, JsonField } from '../../ui/json';
import { Page, Section } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { toast } from '../../ui/toast';
import { UnsavedDialog } from '../../ui/unsaved-dialog';
import { RunDialog } from '../executions/run-dialog';
import { RunsOfTask } from './runs-of-task';
import { StepsEditor } from './steps-editor';
import { type TaskDraft, bodyOf, draftOf, emptyTask } from './task-form';

const crumbs = [{ label: 'Tasks', to: '/tasks' }];

export function TaskPage(): ReactNode {
  const { taskId = '' }: { taskId?: string } = useParams({ strict: false });
  const client = useClient();
  const isNew = taskId === 'new';
  const { data, error, refetch } = useQuery({
    queryKey: ['task', taskId],
    queryFn: () => client.tasks.get(taskId),
    enabled: !isNew,
  });
  if (error) return isNotFound(error) ? <NotFound /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  if (isNew) return <Editor key="new" task={null} />;
  if (!data)
    return (
      <Page title="Task" crumbs={crumbs}>
        <Loading label="Loading the task" lines={8} />
      </Page>
    );
  return <Editor key={`${data.id}-${data.version}`} task={data} />;
}

function Editor({ task }: { task: Task | null }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayWrite = useMay('MEMBER');
  const [before] = useState<TaskDraft>(task ? draftOf(task) : emptyTask);
  const [draft, setDraft] = useState(before);
  const [open, setOpen] = useState<'run' | 'delete' | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const isDirty = !isLeaving && JSON.stringify(draft) !== JSON.stringify(before);
  const set = (changes: Partial<TaskDraft>): void => setDraft({ ...draft, ...changes });
  const save = useMutation({
    mutationFn: async (): Promise<Task> => {
      const body = bodyOf(draft, task?.schedule?.misfire);
      return task
        ? client.tasks.update(task.id, body)
        : client.tasks.create(body, { idempotencyKey: crypto.randomUUID() });
    },
    onSuccess: async (saved) => {
      setLeaving(true);
      queries.setQueryData(['task', saved.id], saved);
      toast.done(task ? 'Saved.' : `“${saved.name}” is made.`);
      await queries.invalidateQueries({ queryKey: ['tasks'] });
      if (!task) await navigate({ to: `/tasks/${saved.id}`, ignoreBlocker: true });
    },
  });
  const remove = async (): Promise<void> => {
    if (!task) return;
    await client.tasks.remove(task.id);
    setLeaving(true);
    await queries.invalidateQueries({ queryKey: ['tasks'] });
    await navigate({ to: '/tasks', ignoreBlocker: true });
  };
  const off = { disabled: !mayWrite };
  return (
    <Page
      title={task?.name ?? 'New task'}
      crumbs={crumbs}
      aside={task && !task.active && <Badge>off</Badge>}
      actions={
        mayWrite && (
          <>
            {task && (
              <>
                <Button
                  look="danger"
                  icon={<Trash2 className="size-4" aria-hidden="true" />}
                  onClick={() => setOpen('delete')}
                >
                  Delete
                </Button>
                <Button
                  icon={<Play className="size-4" aria-hidden="true" />}
                  disabled={isDirty}
                  onClick={() => setOpen('run')}
                >
                  Run
                </Button>
              </>
            )}
            <Button
              look="primary"
              disabled={task !== null && !isDirty}
              isBusy={save.isPending}
              onClick={() => save.mutate()}
            >
              Save
            </Button>
          </>
        )
      }
    >
      {save.error && (
        <p role="alert" className="mb-4 rounded-lg bg-bad-soft px-4 py-3 break-words text-bad">
          {messageOf(save.error)}
        </p>
      )}
      <div className="grid items-start gap-4 xl:grid-cols-[2fr_1fr]">
        <Section title="Steps">
          <StepsEditor
            steps={draft.steps}
            onChange={(steps) => set({ steps })}
            problem={save.error}
            isReadOnly={!mayWrite}
          />
        </Section>
        <div>
          <Section title="What it is">
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
              {draft.type === 'SCHEDULE' && (
                <>
                  <TextField
                    label="Cron"
                    isCode
                    value={draft.cron}
                    onChange={(cron) => set({ cron })}
                    problem={problemOf(save.error, 'schedule')}
                    hint="Minute, hour, day of month, month, day of week."
                    {...off}
                  />
                  <TextField
                    label="Time zone"
                    value={draft.timezone}
                    onChange={(timezone) => set({ timezone })}
                    {...off}
                  />
                </>
              )}
              <CheckField label="Active" checked={draft.active} onChange={(active) => set({ active })} {...off} />
              <JsonField
                label="Default inputs"
                rows={3}
                value={draft.inputs}
                onChange={(inputs) => set({ inputs })}
                problem={problemOf(save.error, 'inputs')}
              />
            </div>
          </Section>
          {task && (
            <Section title="As JSON">
              <Json
                label="The task"
                value={{ type: task.type, schedule: task.schedule, inputs: task.inputs, steps: task.steps }}
              />
            </Section>
          )}
        </div>
      </div>
      {task && <RunsOfTask taskId={task.id} />}
      {task && open === 'run' && (
        <RunDialog
          deed="Run"
          title={`Run ${task.name}`}
          inputs={task.inputs}
          run={(inputs) => client.tasks.execute(task.id, { inputs, idempotencyKey: crypto.randomUUID() })}
          onClose={() => setOpen(null)}
        />
      )}
      <ConfirmDialog open={open === 'delete'} onClose={() => setOpen(null)} deed="Delete task" onConfirm={remove}>
        “{task?.name}” goes, and runs no more. What it did stays in the activity.
      </ConfirmDialog>
      <UnsavedDialog isDirty={isDirty} />
    </Page>
  );
}
