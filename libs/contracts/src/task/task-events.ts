import { defineEvent, defineSignal } from '../define/define-contracts';
import { TaskNamed, TasksTriggered } from './event-tasks';
import { StopExecution } from './execution-requests';

export const TaskEvents = {
  /** Outcome of a delivery, repeated for every arrival of it. */
  triggered: defineEvent({ name: 'task.triggered', source: 'task', data: TasksTriggered, consumers: ['event-bus'] }),
  /** A user has changed an application's task: the task and its subscriptions now belong to the user. */
  defaultTaken: defineEvent({ name: 'task.default-taken', source: 'task', data: TaskNamed, consumers: ['event-bus'] }),
  /** The task was deleted and cannot be started. */
  removed: defineEvent({ name: 'task.removed', source: 'task', data: TaskNamed, consumers: ['event-bus'] }),
};

export const TaskSignals = {
  /** Only speeds up a cancellation: the worker sees it at its next write or heartbeat anyway. */
  stopExecution: defineSignal({
    name: 'task.stop-execution',
    senders: ['task'],
    hearers: ['task'],
    data: StopExecution,
  }),
};
