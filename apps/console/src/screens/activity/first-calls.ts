const quoted = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", String.raw`'\''`)}'`;

/** A call as one makes it in a shell. */
export const callOf = (method: 'POST' | 'PUT', path: string, body: unknown, key = '$SWITCHYARD_KEY'): string =>
  [
    `curl -X ${method} ${window.location.origin}/api${path}`,
    `-H "authorization: Bearer ${key}"`,
    "-H 'content-type: application/json'",
    `-d ${quoted(body)}`,
  ].join(' \\\n  ');

export const chatCallOf = (agentId: string, words: string, key?: string): string =>
  callOf('POST', `/agents/${agentId}/chat`, { contents: [{ type: 'text', text: words }], stream: false }, key);
