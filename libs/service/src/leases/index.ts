export type { Claims, Holding, LooseRoom } from './claims';
export { looseParams, looseSql } from './loose-claims';
export { type ClaimedRow, type Hold, LostHold } from './hold';
export { LeaseClaimer } from './lease-claimer';
export { LeaseHolder } from './lease-holder';
export { type Share, shareOf } from './share';
export { type NamedTurn, SettledTurns } from './settled-turns';
export { SpaceLimits } from './space-limits';
export { SpaceLimitsController } from './space-limits.controller';
