/** How much of its limit is used, for metrics of `Metrics.bounded`. */
export const usedShare = (metric: string, selector = ''): string => `${metric}${selector} / ${metric}_limit${selector}`;
