/**
 * Clients of Responses that only add words up, and cannot attach to a stream: the AI SDK's provider, the Agents SDK and
 * LangChain, as they name themselves. OpenAI's own client gives its caller the items.
 */
const APPEND_ONLY_CLIENTS = /\bai-sdk\/openai\/|^Agents\/|^langchainjs-openai\//;

export const isAppendOnlyClient = (userAgent: string | undefined): boolean => APPEND_ONLY_CLIENTS.test(userAgent ?? '');
