import { CREDIT_LIMIT, Field, UsageGroup, UsageGroupRow, f } from '@switchyard/contracts';

export class CreditBody {
  @Field(f.int({ min: -CREDIT_LIMIT, max: CREDIT_LIMIT }), {
    description: 'Negative: a correction, which may bring the balance below 0.',
    example: 100000,
  })
  tokens!: number;
  @Field(f.text({ max: 500 }), { optional: true }) note?: string;
  @Field(f.text({ min: 1, max: 255 }), {
    optional: true,
    description: 'In place of the Idempotency-Key header; this one wins.',
  })
  idempotencyKey?: string;
}

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
