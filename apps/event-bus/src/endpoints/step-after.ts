import type { AfterAttempt } from '@switchyard/service';
import type { NextStep } from '../domain/endpoint-delivery';

export function stepAfter(after: AfterAttempt): NextStep {
  switch (after.kind) {
    case 'delivered':
      return { status: 'DELIVERED', error: null, nextInMs: null, isDisabling: false };
    case 'again':
      return { status: 'PENDING', error: null, nextInMs: after.inMs, isDisabling: false };
    case 'ended':
      return {
        status: 'FAILED',
        error: after.isRefused ? 'ENDPOINT_DISABLED' : null,
        nextInMs: null,
        isDisabling: after.isRefused,
      };
  }
}
