import { toAppError } from '@switchyard/kernel';
import { isObservable, lastValueFrom } from 'rxjs';

export type NestHandler = (data: unknown, ctx?: unknown, tx?: unknown) => Promise<unknown>;

/** Nest turns a thrown error into a failing Observable; throw it again. */
export async function invoke(handler: NestHandler, data: unknown, ctx: unknown, tx?: unknown): Promise<unknown> {
  const result = await handler(data, ctx, tx);
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}

export const isOurFault = (error: unknown): boolean => toAppError(error).code === 'SERVER_ERROR';
