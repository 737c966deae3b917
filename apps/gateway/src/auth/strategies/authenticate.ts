import { AppError } from '@switchyard/kernel';
import passport from 'passport';

/** Passport's strategies of this process, apart from the global ones of the package. */
export const strategies = new passport.Passport();

export const refused = (cause: unknown): AppError => new AppError('UNAUTHORIZED', 'The token is not valid.', { cause });

/** The credential as a strategy sees it. One verification serves every request with the same credential. */
export interface PresentedCredential {
  credential: string;
}

/**
 * Runs one strategy on a credential. Resolves with what the strategy vouches for, rejects with UNAUTHORIZED, or with
 * the error that kept the strategy from deciding. The strategy is named and never passed as an object: passport writes
 * its callbacks on the object it is given, so that two verifications at once would answer each other's caller.
 */
export function authenticate<T extends object>(strategy: string, credential: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null, verified: T | false | null | undefined, reason?: unknown): void => {
      if (error) reject(error);
      else if (verified) resolve(verified);
      else reject(reason instanceof AppError ? reason : refused(reason));
    };
    const run = strategies.authenticate(strategy, { session: false }, settle) as (
      request: PresentedCredential,
      response: object,
      next: (error?: unknown) => void,
    ) => void;
    run({ credential }, {}, (error) => {
      reject(error instanceof Error ? error : new Error('passport left a verification undecided'));
    });
  });
}
