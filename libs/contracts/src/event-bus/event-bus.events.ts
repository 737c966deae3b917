import { defineEvent } from '../define/contracts';
import { DefaultTasks } from './default-tasks';
import { TriggerTask } from './triggers';

export const EventBusEvents = {
  triggerTask: defineEvent({
    name: 'event-bus.trigger-task',
    source: 'event-bus',
    data: TriggerTask,
    consumers: ['task'],
  }),
  /** The safety net under `TaskCalls.applyDefaultTasks`, which carries the same data at once. */
  defaultTasksChanged: defineEvent({
    name: 'event-bus.default-tasks-changed',
    source: 'event-bus',
    data: DefaultTasks,
    consumers: ['task'],
  }),
};
