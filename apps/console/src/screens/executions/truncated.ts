/** Placeholder in an execution for a field that is fetched separately. */
export interface Truncated {
  truncated: true;
  bytes: number;
  content: string;
}

export const isTruncated = (value: unknown): value is Truncated =>
  typeof value === 'object' &&
  value !== null &&
  'truncated' in value &&
  value.truncated === true &&
  'content' in value &&
  typeof value.content === 'string';
