export { type QuestionAnswer, SwitchyardChatTransport, type SwitchyardChatTransportOptions } from './chat-transport';
export type { ChatStorage } from './chat-memory';
export {
  shownParts,
  type SwitchyardDataParts,
  type SwitchyardMessage,
  type SwitchyardMetadata,
} from './ui-message-types';
