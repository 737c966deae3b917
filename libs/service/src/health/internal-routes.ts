import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type InternalHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Takes over a connection whose client asks to speak something else than HTTP. */
export type UpgradeHandler = (request: IncomingMessage, socket: Socket, head: Buffer) => void;

/** Paths of the internal port that a service answers itself. They carry bytes; everything that has a shape goes over the bus. */
export class InternalRoutes {
  private readonly handlers = new Map<string, InternalHandler>();
  private readonly upgrades = new Map<string, UpgradeHandler>();

  add(path: string, handler: InternalHandler): void {
    this.handlers.set(path, handler);
  }

  find(path: string): InternalHandler | undefined {
    return this.handlers.get(path);
  }

  addUpgrade(path: string, handler: UpgradeHandler): void {
    this.upgrades.set(path, handler);
  }

  findUpgrade(path: string): UpgradeHandler | undefined {
    return this.upgrades.get(path);
  }
}
