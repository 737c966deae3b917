import { curl } from '../../ui/curl';

/** A call of the API for a program, which has a key. */
export const callOf = (method: 'GET' | 'POST' | 'PUT', path: string, body: unknown, key = '$SWITCHYARD_KEY'): string =>
  curl(method, `${window.location.origin}/api${path}`, body, key);

export const chatCallOf = (agentId: string, words: string, key?: string): string =>
  callOf('POST', `/agents/${agentId}/chat`, { contents: [{ type: 'text', text: words }], stream: false }, key);
