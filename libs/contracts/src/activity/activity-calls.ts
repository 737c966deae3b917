import { type CallContract, defineCall } from '../define/define-contracts';
import { type Items, listOf, Nothing } from '../define/common-shapes';
import { ACTIVITY_RULES, type ActivityKind } from './activity-kinds';
import { ActivityRange, ActivitySlice, StatusCount, WatchedSpaces } from './activity-requests';
import { ActivityEntry } from './activity-view';

export interface ActivityOwnerCalls {
  list: CallContract<ActivitySlice, Items<ActivityEntry>>;
  count: CallContract<ActivityRange, Items<StatusCount>>;
  /** As the signal `watched`, but replies once changes are recorded. */
  watch: CallContract<WatchedSpaces>;
}

/** Calls of every service that owns a kind of activity. */
const callsOf = (service: string, kind: ActivityKind): ActivityOwnerCalls => ({
  list: defineCall({
    subject: `${service}.list-activity`,
    request: ActivitySlice,
    reply: listOf(ActivityEntry),
    access: { scope: ACTIVITY_RULES[kind].scope },
    callers: ['gateway'],
  }),
  count: defineCall({
    subject: `${service}.count-activity`,
    request: ActivityRange,
    reply: listOf(StatusCount),
    access: { scope: ACTIVITY_RULES[kind].scope },
    callers: ['gateway'],
  }),
  watch: defineCall({
    subject: `${service}.watch-activity`,
    request: WatchedSpaces,
    reply: Nothing,
    access: 'internal',
    callers: ['gateway'],
    timeoutMs: 3000,
  }),
});

export const SessionActivityCalls = callsOf('session', 'turn');
export const TaskActivityCalls = callsOf('task', 'execution');
export const JobActivityCalls = callsOf('job', 'job');
export const EventBusActivityCalls = callsOf('event-bus', 'emission');

export const ACTIVITY_OWNERS: Readonly<Record<ActivityKind, ActivityOwnerCalls>> = {
  turn: SessionActivityCalls,
  execution: TaskActivityCalls,
  job: JobActivityCalls,
  emission: EventBusActivityCalls,
};
