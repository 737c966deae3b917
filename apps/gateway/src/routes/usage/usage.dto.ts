import { Described, Field, UsageGroup, UsageGroupRow, f } from '@switchyard/contracts';

@Described('One group of model calls. The name of its first field is the `groupBy` of the request.')
export class UsageRow {
  @Field(f.text(), { optional: true, nullable: true, description: 'Day of the group (UTC).' }) day?: string | null;
  @Field(f.text(), { optional: true, nullable: true, description: 'Model of the group.' }) model?: string | null;
  @Field(f.text(), { optional: true, nullable: true, description: 'Agent of the group.' }) agent?: string | null;
  @Field(f.text(), { optional: true, nullable: true, description: 'User of the group.' }) user?: string | null;
  @Field(f.text(), { optional: true, nullable: true, description: 'API key of the group.' }) key?: string | null;
  @Field(f.text(), { optional: true, nullable: true, description: 'Source of the calls of the group.' }) source?:
    | string
    | null;
  @Field(f.int(), { description: 'Number of model calls.' }) calls!: number;
  @Field(f.int(), { description: 'Input tokens.' }) promptTokens!: number;
  @Field(f.int(), { description: 'Output tokens.' }) completionTokens!: number;
  @Field(f.int(), { description: 'Tokens in total.' }) tokens!: number;
  @Field(f.number(), { description: 'Cost of the model calls.' }) cost!: number;
}

export const usageRow = (groupBy: UsageGroup, { group, ...counts }: UsageGroupRow): UsageRow => ({
  [groupBy]: group,
  ...counts,
});
