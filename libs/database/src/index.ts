export * from './options';
export * from './transactions/database';
export * from './transactions/transaction';
export * from './transactions/outbox-rows';
export * from './outbox/outbox';
export { shortTimeouts } from './transactions/tenant-batch';
export { type Writes, GroupCommitWriter } from './transactions/group-commit-writer';
export * from './outbox/inbox';
export {
  type PageWindow,
  type TimePosition,
  CursorList,
  listById,
  listByNumber,
  listByTime,
} from './lists/cursor-list';
export { type Weighed, lightPage } from './lists/page-byte-limit';
export * as column from './tables/columns';
export type { Condition } from './tables/table-rows';
export { type RowOf, type Table, defineTable, snakeName } from './tables/table';
export { schemaDifference } from './tables/schema-difference';
export { listColumn, nameColumn } from './lists/truncated-list-column';
export { type ContentPart, contentPartSql, readContent } from './lists/read-long-column';
export {
  brokenConstraint,
  isEntangled,
  isLockedByOthers,
  isRolledBack,
  isStatementTimeout,
  sqlStateOf,
  translate,
} from './client/errors';
export { type OnceOptions, answerOnce, earlierAnswer } from './transactions/idempotency';
export { onceAfter } from './transactions/idempotent-with-precheck';
export * from './migrations/tables';
export * from './migrations/migrate';
export * from './migrations/roles';
export { adoptPassword } from './migrations/admin-password';
export { QUEUE_SPACE, messagingTables } from './migrations/messaging-tables';
export { type BaselineMigration, Baseline } from './migrations/baseline';
export { connectionLimit } from './migrations/connection-limit';
export { MIGRATION_SESSION, isMigrationConnected } from './migrations/migration-session';
export * from './migrations/pending';
export {
  alterBriefly,
  asOwner,
  buildIndexes,
  changeBriefly,
  dropIndexes,
  inBatches,
  OnlineMigration,
} from './migrations/online';
export { type WeighedTable, createOversizedMark, readableFieldsSql, readableSql } from './migrations/oversized';
export { type QueueTable, readySpacesTable } from './migrations/ready-spaces-table';
export {
  CLAIMED,
  LOOKED_INTO,
  type QueueSql,
  type SpaceQuota,
  claimRound,
  dueSpaces,
  spaceUnblocked,
} from './tenant-queue/claim-by-tenant';
export { isBefore } from './transactions/keyset-page-condition';
export {
  anyClockStopped,
  LATE_SPACES_AT_ONCE,
  READY_AGAIN,
  clockRuns,
  clockTables,
  isOverTime,
  deleteOldMovedClocks,
  type EndedStop,
  type MoveTimes,
  missedStops,
  moveClocks,
  type StoppedClock,
  startClocks,
  stopClocks,
  stoppedAfter,
} from './tenant-queue/suspended-space-clocks';
export * from './lost-work';
export * from './activity';
export * from './partitions';
export * from './platform-events';
export * from './transactions/operator-limit-check';
