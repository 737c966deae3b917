import { Field } from '../fields/field';
import { f } from '../fields/field-schema';

export class OfSpaces {
  @Field(f.list(f.id(), { max: 500 })) spaceIds!: string[];
}

/** Balance of a Space, and usage in the current day and month (UTC). */
export class SpaceTotals {
  @Field(f.id()) spaceId!: string;
  @Field(f.int()) balance!: number;
  @Field(f.text(), { description: 'The first day of the month that is counted.' }) month!: string;
  @Field(f.int({ min: 0 })) dailyTokens!: number;
  @Field(f.int()) monthlyTokens!: number;
  @Field(f.int({ min: 0 })) calls!: number;
  @Field(f.number()) cost!: number;
  @Field(f.time(), { description: 'When it was read.' }) at!: string;
}

/** Storage of a Space's datasets. */
export class StoredTotals {
  @Field(f.id()) spaceId!: string;
  @Field(f.int({ min: 0 })) bytes!: number;
  @Field(f.int({ min: 0 })) records!: number;
  @Field(f.time(), { description: 'When it was read.' }) at!: string;
}
