import { defineEvent } from '../define/define-contracts';
import { DefaultTasks } from './default-tasks';
import { MatchedEmissions, TriggerTasks } from './task-triggers';

export const EventBusEvents = {
  emissionsMatched: defineEvent({
    name: 'event-bus.emissions-matched',
    source: 'event-bus',
    data: MatchedEmissions,
    consumers: ['task'],
  }),
  /** Only published by older versions. */
  triggerTasks: defineEvent({
    name: 'event-bus.trigger-tasks',
    source: 'event-bus',
    data: TriggerTasks,
    consumers: ['task'],
  }),
  /** Durable fallback of `TaskCalls.applyDefaultTasks`, which carries the same data immediately. */
  defaultTasksChanged: defineEvent({
    name: 'event-bus.default-tasks-changed',
    source: 'event-bus',
    data: DefaultTasks,
    consumers: ['task'],
  }),
};
