import type { Schemas } from '../api/schemas';

export type Activity = Schemas['ActivityRow'];
export type ActivityKind = Activity['kind'];
export type ActivityCount = Schemas['ActivityCount'];
export type CauseTree = Schemas['CauseTree'];
