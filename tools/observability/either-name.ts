import { RENAMED_METRICS } from '@switchyard/service';

/**
 * A metric as rules and dashboards ask for it. Processes of the release before have a renamed one under its former name
 * alone, and `or` takes that of each process that lacks the new one: a rolling upgrade leaves no gap.
 */
export function eitherName(metric: string, selector = ''): string {
  const before = RENAMED_METRICS[metric];
  return before === undefined ? `${metric}${selector}` : `(${metric}${selector} or ${before}${selector})`;
}

/** How much of its limit is used, for metrics with the label `measure`. */
export function usedShare(metric: string, selector = ''): string {
  const of = (measure: string): string =>
    eitherName(metric, `{${selector === '' ? '' : `${selector},`}measure="${measure}"}`);
  return `${of('used')} / ignoring(measure) ${of('limit')}`;
}
