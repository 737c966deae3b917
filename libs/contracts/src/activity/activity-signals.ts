import { defineSignal } from '../define/contracts';
import { ChangedActivity, WatchedSpaces } from './activity-requests';

export const ActivitySignals = {
  /** Somebody watches these Spaces: for a while, say what changes in them. */
  watched: defineSignal({
    name: 'gateway.activity-watched',
    senders: ['gateway'],
    hearers: ['session', 'task', 'job', 'event-bus'],
    data: WatchedSpaces,
  }),
  /** Rows of a watched Space as they are now. */
  changed: defineSignal({
    name: 'gateway.activity-changed',
    senders: ['session', 'task', 'job', 'event-bus'],
    hearers: ['gateway'],
    data: ChangedActivity,
  }),
};
