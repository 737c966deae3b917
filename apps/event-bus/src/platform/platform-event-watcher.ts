import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  PLATFORM_EVENT_SOURCES,
  actAs,
  platformEventSource,
  requireSpace,
  roleAtLeast,
  serviceCtx,
} from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import { isPlatformId } from '../domain/platform-ids';

/** Services raise an event in the Spaces where a subscription wants it. */
@Injectable()
export class PlatformEventWatcher {
  constructor(
    private readonly bus: Bus,
    private readonly logger: Logger,
  ) {}

  /** Before a subscription is answered: each change after the answer is raised. */
  async watch(ctx: Ctx, { id, name }: { id: string; name: string }): Promise<void> {
    if (isPlatformId(id)) await this.set(requireSpace(ctx), name, true);
  }

  /** An event came that no subscription wants. Otherwise the next one ends the watch. */
  unwatch(spaceId: string, name: string): void {
    this.set(spaceId, name, false).catch((error: unknown) => {
      this.logger.debug({ err: error, spaceId, event: name }, 'failed to end a watch of a platform event');
    });
  }

  private async set(spaceId: string, event: string, watched: boolean): Promise<void> {
    const source = platformEventSource(event);
    const calls = source === null ? undefined : PLATFORM_EVENT_SOURCES[source];
    if (!calls) return;
    const ctx = actAs(serviceCtx('event-bus'), { spaceId });
    await this.bus.call(calls.watch, ctx, { spaceId, event, watched });
  }
}

/** Subscriptions to events of the platform show what others do. */
export function requireAdminOf(ctx: Ctx, eventId: string): void {
  if (!isPlatformId(eventId) || roleAtLeast(ctx.role, 'ADMIN')) return;
  throw new AppError('FORBIDDEN', 'A subscription to an event of the platform needs the role ADMIN.');
}
