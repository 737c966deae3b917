import { Field, UsageGroup, UsageGroupRow, f } from '@switchyard/contracts';

/** One group of calls; the name of its first field is the `groupBy` of the request. */
export class UsageRow {
  @Field(f.text(), { optional: true, nullable: true }) day?: string | null;
  @Field(f.text(), { optional: true, nullable: true }) model?: string | null;
  @Field(f.text(), { optional: true, nullable: true }) agent?: string | null;
  @Field(f.text(), { optional: true, nullable: true }) user?: string | null;
  @Field(f.text(), { optional: true, nullable: true }) key?: string | null;
  @Field(f.text(), { optional: true, nullable: true }) source?: string | null;
  @Field(f.int()) calls!: number;
  @Field(f.int()) promptTokens!: number;
  @Field(f.int()) completionTokens!: number;
  @Field(f.int()) tokens!: number;
  @Field(f.number()) cost!: number;
}

export const usageRow = (groupBy: UsageGroup, { group, ...counts }: UsageGroupRow): UsageRow => ({
  [groupBy]: group,
  ...counts,
});
