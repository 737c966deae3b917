import { type CallContract, defineCall } from '../define/contracts';
import { type Items, listOf, Nothing } from '../define/shapes';
import type { ActivityKind } from './activity-kinds';
import { ActivityRange, ActivitySlice, StatusCount, WatchedSpaces } from './activity-requests';
import { ActivityEntry } from './activity-view';

export interface ActivityOwnerCalls {
  list: CallContract<ActivitySlice, Items<ActivityEntry>>;
  count: CallContract<ActivityRange, Items<StatusCount>>;
  /** As the signal `watched`, and answers when changes are noted. */
  watch: CallContract<WatchedSpaces>;
}

/** What every service answers that owns a kind of activity. */
const callsOf = (service: string): ActivityOwnerCalls => ({
  list: defineCall({
    subject: `${service}.list-activity`,
    request: ActivitySlice,
    reply: listOf(ActivityEntry),
    callers: ['gateway'],
  }),
  count: defineCall({
    subject: `${service}.count-activity`,
    request: ActivityRange,
    reply: listOf(StatusCount),
    callers: ['gateway'],
  }),
  watch: defineCall({
    subject: `${service}.watch-activity`,
    request: WatchedSpaces,
    reply: Nothing,
    callers: ['gateway'],
    timeoutMs: 3000,
  }),
});

export const SessionActivityCalls = callsOf('session');
export const TaskActivityCalls = callsOf('task');
export const JobActivityCalls = callsOf('job');
export const EventBusActivityCalls = callsOf('event-bus');

export const ACTIVITY_OWNERS: Readonly<Record<ActivityKind, ActivityOwnerCalls>> = {
  turn: SessionActivityCalls,
  execution: TaskActivityCalls,
  job: JobActivityCalls,
  emission: EventBusActivityCalls,
};
