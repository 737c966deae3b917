import { Field } from '../fields/field';
import { f } from '../fields/spec';

export class OfSpaces {
  @Field(f.list(f.id(), { max: 500 })) spaceIds!: string[];
}

/** What a Space has, and what it has used in the current day and calendar month (UTC). */
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

/** What a Space keeps in its datasets. */
export class StoredTotals {
  @Field(f.id()) spaceId!: string;
  @Field(f.int({ min: 0 })) bytes!: number;
  @Field(f.int({ min: 0 })) records!: number;
  @Field(f.time(), { description: 'When it was read.' }) at!: string;
}
