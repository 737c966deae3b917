import type { IncomingMessage, ServerResponse } from 'node:http';

export type InternalHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Paths of the internal port that a service answers itself. They carry bytes; everything that has a shape goes over the bus. */
export class InternalRoutes {
  private readonly handlers = new Map<string, InternalHandler>();

  add(path: string, handler: InternalHandler): void {
    this.handlers.set(path, handler);
  }

  find(path: string): InternalHandler | undefined {
    return this.handlers.get(path);
  }
}
