import { type ReactNode, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { TaskSummary } from '@switchyard/client';
import { collectAll } from '../../api/collect-all';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useClient } from '../../session/session-context';
import { Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { SelectField } from '../../ui/field';
import { Form } from '../../ui/form';
import { ErrorState, Loading } from '../../ui/states';
import { useAction } from '../../ui/use-action';
import { useRegisteredEvents } from '../events/use-registered-events';
import { FilterField, readFilter } from './filter-test';

interface Props {
  /** Its events alone are offered. */
  appIdentifier?: string;
  /** Receives the events; without one, a task does. */
  endpointId?: string;
  onClose: () => void;
}

export function NewSubscription({ appIdentifier, endpointId, onClose }: Props): ReactNode {
  const client = useClient();
  const keys = useIdempotencyKey();
  const events = useRegisteredEvents();
  const tasks = useQuery({
    queryKey: ['tasks', 'of events'],
    queryFn: () => collectAll(client.tasks.all({ type: 'EVENT', limit: 100 })),
    enabled: endpointId === undefined,
  });
  const [chosenEvent, setEvent] = useState('');
  const [chosenTask, setTask] = useState('');
  const [filter, setFilter] = useState('');
  const offered = (events.data ?? []).filter((event) => [undefined, event.appIdentifier].includes(appIdentifier));
  const eventId = chosenEvent === '' ? (offered[0]?.id ?? '') : chosenEvent;
  const taskId = chosenTask === '' ? (tasks.data?.[0]?.id ?? '') : chosenTask;
  const receiver = endpointId === undefined ? { taskId } : { endpointId };
  const read = readFilter(filter);
  const subscribe = useAction(
    () => {
      const body = { eventId, ...receiver, ...(read.isValid && read.filter !== null ? { filter: read.filter } : {}) };
      return client.events.subscribe(body, { idempotencyKey: keys.keyFor(body) });
    },
    { changes: [['subscriptions']], done: 'Subscription created.' },
  );
  const submit = async (): Promise<void> => {
    if (await subscribe.run()) onClose();
  };
  const error = events.error ?? tasks.error;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Create subscription"
      description={
        endpointId === undefined
          ? 'A task that runs whenever an event is emitted.'
          : 'The endpoint receives the event whenever it is emitted.'
      }
      wide
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void Promise.all([events.refetch(), tasks.refetch()])} />
      ) : events.data === undefined || (endpointId === undefined && tasks.data === undefined) ? (
        <Loading label="Loading events and tasks" />
      ) : (
        <Form
          submit="Create subscription"
          isBusy={subscribe.isBusy}
          error={subscribe.error}
          onSubmit={submit}
          onCancel={onClose}
          canSubmit={eventId !== '' && (endpointId !== undefined || taskId !== '') && read.isValid}
        >
          <SelectField
            label="Event"
            value={eventId}
            onChange={setEvent}
            options={offered.map(({ id, name, appIdentifier: app }) => ({ value: id, label: `${name} (${app})` }))}
            problem={problemOf(subscribe.error, 'eventId')}
            hint={offered.length === 0 ? 'No application declares an event yet.' : undefined}
          />
          {endpointId === undefined && (
            <SelectField
              label="Task"
              value={taskId}
              onChange={setTask}
              options={(tasks.data ?? []).map(({ id, name }: TaskSummary) => ({ value: id, label: name }))}
              problem={problemOf(subscribe.error, 'taskId')}
              hint={tasks.data?.length === 0 ? 'There is no task that starts by events yet.' : undefined}
            />
          )}
          <FilterField eventId={eventId} value={filter} onChange={setFilter} error={subscribe.error} />
        </Form>
      )}
    </Dialog>
  );
}
