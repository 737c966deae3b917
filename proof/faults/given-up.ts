/** The status of a request that two processes ended with: it is refused from then on. */
export const GIVEN_UP = 'GIVEN_UP';

export const isGivenUp = (reply: { status: number; body?: unknown } | null): boolean =>
  reply?.status === 503 && /was given up: the process that handled it ended twice/.test(JSON.stringify(reply.body));

/** Kills that hit one request twice are rare: a defect that gives up requests is not. */
export function tooManyGivenUp(outcomes: readonly { status: string | null; script: { name: string } }[]): string[] {
  const names = outcomes.filter(({ status }) => status === GIVEN_UP).map(({ script }) => script.name);
  return names.length > Math.max(1, outcomes.length / 10) ? [`given up: ${names.join(', ')}`] : [];
}
