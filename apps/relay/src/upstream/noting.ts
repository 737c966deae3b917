import type { Dispatcher } from 'undici';

/**
 * The same road, which tells when a request has a connection and is written: until then it waits for one, and who
 * leaves has asked nobody anything.
 */
export function noting(road: Dispatcher, onOut: ((isOut: boolean) => void) | undefined): Dispatcher {
  if (!onOut) return road;
  return road.compose((dispatch) => (options, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    // Each request has a handler of its own; one method of it costs less than another handler around it.
    handler.onRequestStart = (controller, context: unknown): void => {
      start?.(controller, context);
      if (!controller.aborted) onOut(true);
    };
    return dispatch(options, handler);
  });
}
