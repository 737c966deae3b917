import { Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { Ctx, Identity, KeyCalls, serviceCtx } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { GatewayConfig } from '../gateway.config';

export interface OpenStream {
  identity: Identity;
  /** Ends the stream in its own way; must not throw. */
  end(reason: AppError): void;
}

const limitKey = (identity: Identity): string =>
  identity.credentialType === 'jwt' ? `${identity.spaceId}/${identity.userId}` : (identity.credentialId ?? '');

/** Every answer that is still being written: counted per credential, and ended with the credential that opened it. */
@Injectable()
export class OpenStreams {
  private readonly open = new Set<OpenStream>();
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly config: GatewayConfig,
    private readonly bus: Bus,
  ) {}

  get size(): number {
    return this.open.size;
  }

  /** Takes a place, or refuses; the returned function gives it back. */
  enter(ctx: Ctx, end: (reason: AppError) => void): () => void {
    const key = limitKey(ctx);
    const count = this.counts.get(key) ?? 0;
    if (count >= this.config.STREAMS_PER_CREDENTIAL) {
      throw new AppError(
        'RATE_LIMITED',
        `A credential may have ${this.config.STREAMS_PER_CREDENTIAL} streams open at once. Close one first.`,
        {
          retryAfterSeconds: 1,
        },
      );
    }
    this.counts.set(key, count + 1);
    const stream: OpenStream = { identity: ctx, end };
    this.open.add(stream);
    return () => {
      if (!this.open.delete(stream)) return;
      const left = (this.counts.get(key) ?? 1) - 1;
      if (left > 0) this.counts.set(key, left);
      else this.counts.delete(key);
    };
  }

  end(
    matches: (identity: Identity) => boolean,
    reason = new AppError('UNAUTHORIZED', 'The credential of this stream is no longer valid.'),
  ): void {
    for (const stream of [...this.open]) if (matches(stream.identity)) stream.end(reason);
  }

  /** A member's role changed or is gone: streams of people who left end. */
  recheck(matches: (identity: Identity) => boolean): void {
    for (const stream of [...this.open]) {
      if (!matches(stream.identity)) continue;
      const { userId, spaceId } = stream.identity;
      if (userId === null || spaceId === null) continue;
      this.bus.call(KeyCalls.resolveMember, serviceCtx('gateway'), { userId, spaceId }).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'NOT_FOUND')
          stream.end(new AppError('UNAUTHORIZED', 'The credential of this stream is no longer valid.'));
      });
    }
  }
}
