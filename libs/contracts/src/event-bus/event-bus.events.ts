import { defineEvent } from '../define/contracts';
import { DefaultTasks } from './default-tasks';
import { MatchedEmissions, TriggerTasks } from './triggers';

export const EventBusEvents = {
  emissionsMatched: defineEvent({
    name: 'event-bus.emissions-matched',
    source: 'event-bus',
    data: MatchedEmissions,
    consumers: ['task'],
  }),
  /** Announced by older versions only. */
  triggerTasks: defineEvent({
    name: 'event-bus.trigger-tasks',
    source: 'event-bus',
    data: TriggerTasks,
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
