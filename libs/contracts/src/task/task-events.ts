import { defineEvent, defineSignal } from '../define/contracts';
import { TaskNamed, TasksTriggered } from './event-tasks';
import { StopExecution } from './execution-requests';

export const TaskEvents = {
  /** What became of a delivery: said again for every arrival of the same one. */
  triggered: defineEvent({ name: 'task.triggered', source: 'task', data: TasksTriggered, consumers: ['event-bus'] }),
  /** A user has changed a task that an application brought: it is the user's, and so is what starts it. */
  defaultTaken: defineEvent({ name: 'task.default-taken', source: 'task', data: TaskNamed, consumers: ['event-bus'] }),
  /** Nothing can start it any more. */
  removed: defineEvent({ name: 'task.removed', source: 'task', data: TaskNamed, consumers: ['event-bus'] }),
};

export const TaskSignals = {
  /** Only makes a cancellation quicker: the worker meets it at its next write or heartbeat anyway. */
  stopExecution: defineSignal({
    name: 'task.stop-execution',
    senders: ['task'],
    hearers: ['task'],
    data: StopExecution,
  }),
};
