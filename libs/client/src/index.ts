export { SwitchyardClient, text } from './client';
export { ConsoleSession } from './console-session';
export { API_VERSION } from './api/version';
export * from './http/errors';
export { type FailedRequest, requestOf } from './http/describe-failed-request';
export type { ClientOptions, Credential, RequestOptions } from './http/options';
export type { FileBody, HttpRequest } from './http/http';
export type { Deleted, Schemas } from './api/schemas';
export type { Page, PageQuery } from './resources/paged-lists';
export type { UsageQuery } from './resources/usage';
export * from './records/activity';
export * from './records/agent';
export * from './records/dataset';
export * from './records/event';
export * from './records/model';
export * from './records/operator';
export * from './records/session';
export * from './records/spaces-keys-and-members';
export * from './records/turn';
export * from './records/jobs-and-tasks';
export type { FrameMethod } from './api/turn-frames';
export { type Frame, STREAM_PROTOCOL } from './stream/frame';
export {
  eventOf,
  type EvidenceItem,
  handleEvent,
  isEvent,
  type TurnEvent,
  type TurnEventData,
  type TurnEventFields,
  type TurnEventHandlers,
  type TurnEventName,
} from './stream/turn-event';
export { TurnStream } from './stream/turn-stream';
export { TurnSummary } from './stream/turn-summary';
export type { ConnectionState, TurnAddress } from './stream/turn-connection';
