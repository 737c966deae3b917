export { SwitchyardClient, text } from './client';
export * from './http/errors';
export type { ClientOptions, Credential, RequestOptions } from './http/options';
export type { Envelope, HttpRequest } from './http/http';
export type { Page, PageQuery } from './resources/page';
export * from './records/agent';
export * from './records/dataset';
export * from './records/session';
export * from './records/turn';
export * from './records/work';
export { type Frame, type FrameMethod, STREAM_PROTOCOL } from './stream/frame';
export {
  eventOf,
  type EvidenceItem,
  type TurnEvent,
  type TurnEventData,
  type TurnEventName,
} from './stream/turn-event';
export { TurnStream } from './stream/turn-stream';
export { TurnSummary } from './stream/turn-summary';
export type { TurnAddress } from './stream/turn-connection';
