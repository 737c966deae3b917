/** Names of turn events on the wire and in the client. Code takes them from the contracts, and does not write them. */
const NAMES = new Set(
  (
    'session-started content-delta reasoning-delta tool-execution knowledge-evidence agent-input-required ' +
    'local-tool-call context-usage response-completed turn-persist-pending step-restarted error-occurred stream-ended'
  ).split(' '),
);
const DOTTED = new Set([...[...NAMES].map((name) => name.replaceAll('-', '.')), 'turn.persist_pending']);
/** Of OpenAI's streams as well. */
DOTTED.delete('response.completed');

export const isTurnEventName = (text: string): boolean => NAMES.has(text) || DOTTED.has(text);
