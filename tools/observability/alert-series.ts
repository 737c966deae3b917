/** A series of one sample per 15 seconds, in the notation of promtool's rule tests. */
export interface Series {
  series: string;
  values: string;
}

export const ALWAYS = '1x400';
export const SELF = (service: string): string => `job="switchyard",service="${service}",instance="${service}:8081"`;
export const gauge = (series: string, value: number): Series => ({ series, values: `${value}x400` });
export const rising = (series: string, step: number): Series => ({ series, values: `0+${step}x400` });
/** A counter with labels appears with its first event: there is no zero before it. */
export const appearing = (series: string, value: number): Series => ({ series, values: `_x4 ${value}x396` });
export const HPA = 'namespace="switchyard",horizontalpodautoscaler="gateway"';
