import { AppError } from '@switchyard/kernel';

/** A request to the OpenAI-compatible relay. */
export interface ProxyRequest {
  method: 'GET' | 'POST';
  /** The path after /models/v1/. */
  path: string;
  /** With its question mark, or empty. */
  query: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

export const typeOf = (headers: ProxyRequest['headers']): string => String(headers['content-type'] ?? '');

export const notJson = (): AppError =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send JSON in UTF-8 with Content-Type: application/json.');
