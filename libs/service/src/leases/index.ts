export type { Claims, Holding, UnassignedCapacity as LooseRoom } from './claims';
export {
  endedWorkersParams,
  isSuspect,
  noFreshWork,
  releaseExpiredSql as releaseLostSql,
  withSuspectSql,
} from './losses';
export { looseParams, looseSql } from './loose-claims';
export { type ClaimedRow, type Hold, LeaseLost as LostHold } from './hold';
export { LeaseClaimer } from './lease-claimer';
export { LeaseHolder } from './lease-holder';
export { type Share, byPayer, allocateSlots as divideRoom, shareOf } from './share';
export { type NamedTurn, SettledTurns } from './settled-turns';
export { Silence } from '../lost-work/silence';
export { SUSPENDED_REST_MS, SpaceLimits } from './space-limits';
export { SpaceClocks } from '../suspended/space-clocks';
