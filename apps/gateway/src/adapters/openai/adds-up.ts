/**
 * Clients of Responses that only add words up, and cannot attach to a stream: the AI SDK's provider, the Agents SDK and
 * LangChain, as they name themselves. OpenAI's own client gives its caller the items.
 */
const WHO_ADDS_UP = /\bai-sdk\/openai\/|^Agents\/|^langchainjs-openai\//;

export const addsUp = (userAgent: string | undefined): boolean => WHO_ADDS_UP.test(userAgent ?? '');
