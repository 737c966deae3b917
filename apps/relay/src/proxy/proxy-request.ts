/** A request to the OpenAI-compatible relay. */
export interface ProxyRequest {
  method: 'GET' | 'POST';
  /** What follows /models/v1/. */
  path: string;
  /** With its question mark, or empty. */
  query: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}
