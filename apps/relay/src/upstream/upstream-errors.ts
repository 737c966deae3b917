import { UpstreamAnswer } from '../domain/upstream-error';

/** An upstream's own refusal, for the caller to know. */
export class UpstreamRefused extends Error {
  constructor(readonly answer: UpstreamAnswer) {
    super(`the upstream answered ${answer.status}`);
    this.name = 'UpstreamRefused';
  }
}

/** No usable answer: unreachable, too slow, cut off, rubbish, or an error of the upstream's own. */
export class UpstreamFailed extends Error {
  override name = 'UpstreamFailed';
}
