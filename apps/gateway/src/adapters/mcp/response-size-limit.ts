import { isOverBytes } from '@switchyard/contracts';
import { AppError, PAGE_BYTES } from '@switchyard/kernel';

/** Lists end by their bytes; a single record may be longer than what a tool or a resource gives. */
export function checkAnswer(answer: unknown): void {
  if (!isOverBytes(answer, PAGE_BYTES)) return;
  throw new AppError(
    'PAYLOAD_TOO_LARGE',
    'The answer has more than 2 MiB, as much as MCP returns. Ask for less of it, or read it over the HTTP API.',
  );
}
