export type { Claims } from './claims';
export { type ClaimedRow, type Hold, LostHold } from './hold';
export { LeaseClaimer } from './lease-claimer';
export { LeaseHolder } from './lease-holder';
export { SpaceLimits } from './space-limits';
export { SpaceLimitsController } from './space-limits.controller';
