import type { Dispatcher } from 'undici';

/** What a request may say beside undici's own options. */
export interface Noted {
  /** Told when the request has a connection and is written: until then it waits, and who leaves has asked nobody. */
  onOut?: ((isOut: boolean) => void) | undefined;
}

/** The same road, which tells of requests that want it told. */
export function noting(road: Dispatcher): Dispatcher {
  return road.compose((dispatch) => (options: Dispatcher.DispatchOptions & Noted, handler) => {
    const { onOut } = options;
    if (!onOut) return dispatch(options, handler);
    const start = handler.onRequestStart?.bind(handler);
    // Each request has a handler of its own; one method of it costs less than another handler around it.
    handler.onRequestStart = (controller, context: unknown): void => {
      start?.(controller, context);
      if (!controller.aborted) onOut(true);
    };
    return dispatch(options, handler);
  });
}
