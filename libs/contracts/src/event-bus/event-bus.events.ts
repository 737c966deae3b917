import { defineEvent } from '../define/define-contracts';
import { DefaultTasks } from './default-tasks';
import { MatchedEmissions } from './task-triggers';

export const EventBusEvents = {
  emissionsMatched: defineEvent({
    name: 'event-bus.emissions-matched',
    source: 'event-bus',
    data: MatchedEmissions,
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
