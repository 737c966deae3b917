import type { ServiceName } from '../launcher/service-names';

export type Severity = 'critical' | 'warning';

export interface Alert {
  name: string;
  /** In PromQL. `$here` in a selector is the filter of this installation's namespace. */
  expr: string;
  for: string;
  /** `critical` wakes a person; `warning` can wait for working hours. */
  severity: Severity;
  summary: string;
  /** The service with the reason in its log. Without one: the service that the alert names. */
  log?: ServiceName;
}

/** Rates of fewer requests than one in ten seconds say nothing about a share of failures. */
export const FLOOR_PER_SECOND = 0.1;

/** That a share is over a limit in a short and in a long window, with enough traffic to speak of one. */
export function burns(
  { part, all, by }: { part: string; all: string; by: string },
  windows: readonly [short: string, long: string],
  limit: number,
): string {
  const rate = (counter: string, window: string): string => `sum by (${by}) (rate(${counter}[${window}]))`;
  const over = windows.map((window) => `${rate(part, window)} / ${rate(all, window)} > ${limit}`);
  return [...over, `${rate(all, windows[0])} > ${FLOOR_PER_SECOND}`].join(' and ');
}

/**
 * That something happened at all. A labelled counter appears with its first event, and `increase` sees nothing in the first
 * sample of a series: a series that was not there before counts as well.
 */
export const happened = (counter: string, by: string, within: string): string =>
  `sum by (${by}) (increase(${counter}[${within}])) > 0 or sum by (${by}) (${counter} unless ${counter} offset ${within}) > 0`;
