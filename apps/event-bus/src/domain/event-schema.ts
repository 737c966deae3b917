import { AppError, type ErrorDetail } from '@switchyard/kernel';

/** Refuses a manifest's schema; `path` says which one. */
export function refuseSchema(path: string, problems: ErrorDetail[]): never {
  const details = problems
    .slice(0, 20)
    .map((problem) => ({ path: `${path}${problem.path}`, message: problem.message }));
  throw new AppError(
    'VALIDATION_ERROR',
    `${details[0]?.path ?? path} ${details[0]?.message ?? 'is not a usable schema'}.`,
    {
      details,
    },
  );
}
