import { Field } from '../fields/field';
import { f } from '../fields/field-schema';

/** Purpose of a model call; usage can be grouped by it. */
export const USAGE_SOURCES = ['chat', 'execute', 'job', 'task', 'relay', 'compaction', 'dataset', 'mcp'] as const;
export type UsageSource = (typeof USAGE_SOURCES)[number];

/** Originator of a model call; Space, user and credential come from the context. */
export class Attribution {
  @Field(f.oneOf(USAGE_SOURCES)) source!: UsageSource;
  @Field(f.id(), { optional: true }) agentId?: string;
  @Field(f.id(), { optional: true }) sessionId?: string;
  @Field(f.id(), { optional: true }) turnId?: string;
  @Field(f.id(), { optional: true }) taskId?: string;
  @Field(f.id(), { optional: true }) jobId?: string;
}
