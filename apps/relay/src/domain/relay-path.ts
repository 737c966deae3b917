import { AppError } from '@switchyard/kernel';

const SEGMENT = /^[A-Za-z0-9._~:@-]+$/;

/** Endpoints whose answers are counted in tokens by their own `usage`. */
const METERED = new Set(['chat/completions', 'completions', 'embeddings', 'responses']);

/** What an upstream keeps for its whole account. All Spaces share that account, so none may look into it. */
const ACCOUNT = new Set([
  'assistants',
  'batches',
  'containers',
  'conversations',
  'evals',
  'files',
  'fine_tuning',
  'fine-tunes',
  'organization',
  'projects',
  'threads',
  'uploads',
  'vector_stores',
  'videos',
]);

export type Metering = 'tokens' | 'flat' | 'free';

/** The path as it goes to an upstream, or NOT_FOUND: nothing in it can leave the upstream's base URL. */
export function checkPath(path: string): string {
  const segments = path.split('/');
  const isClean =
    path.length <= 1024 && segments.every((segment) => SEGMENT.test(segment) && segment !== '.' && segment !== '..');
  if (!isClean) throw new AppError('NOT_FOUND', 'There is nothing at this path of the relay.');
  return segments.join('/');
}

export function refuseAccountPath(method: string, path: string): void {
  const [first = '', second] = path.split('/');
  const isStored =
    (first === 'responses' && second !== undefined && second !== 'input_tokens') ||
    (method === 'GET' && (path === 'chat/completions' || path === 'responses'));
  const isStoredChat = first === 'chat' && path.startsWith('chat/completions/');
  if (ACCOUNT.has(first) || isStored || isStoredChat) {
    throw new AppError(
      'NOT_FOUND',
      'What an upstream stores for its account is not open to the callers of this relay.',
    );
  }
}

export const meteringOf = (method: string, path: string): Metering => {
  if (method === 'GET') return 'free';
  return METERED.has(path) ? 'tokens' : 'flat';
};
