import { defineSignal } from '../define/define-contracts';
import { ChangedActivity, WatchedSpaces } from './activity-requests';

export const ActivitySignals = {
  /** These Spaces are being watched: publish their changes for a while. */
  watched: defineSignal({
    name: 'gateway.activity-watched',
    senders: ['gateway'],
    hearers: ['session', 'task', 'job', 'event-bus'],
    data: WatchedSpaces,
  }),
  /** Changed rows of a watched Space. */
  changed: defineSignal({
    name: 'gateway.activity-changed',
    senders: ['session', 'task', 'job', 'event-bus'],
    hearers: ['gateway'],
    data: ChangedActivity,
  }),
};
