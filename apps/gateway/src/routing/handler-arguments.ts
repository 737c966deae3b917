import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';

/** Source of a handler argument, in Nest's numbering. */
export const ARGUMENT = { BODY: 3, QUERY: 4, PARAM: 5, HEADERS: 6 } as const;

interface Argument {
  kind: number;
  index: number;
  data?: string;
  pipes: unknown[];
}

/** The arguments that a handler is called with, read from the same metadata that Nest calls it by. */
export function argumentsOf(controller: Type, method: string): Argument[] {
  const metadata = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    { index: number; data?: string; pipes?: unknown[] }
  >;
  return Object.entries(metadata).map(([key, { index, data, pipes }]) => ({
    kind: Number(key.split(':')[0]),
    index,
    data,
    pipes: pipes ?? [],
  }));
}

/** Whether a handler declares which query parameters it takes. */
export const takesQuery = (controller: Type, method: string): boolean =>
  argumentsOf(controller, method).some(({ kind }) => kind === ARGUMENT.QUERY);
