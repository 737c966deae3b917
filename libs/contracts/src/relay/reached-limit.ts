import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';

@Described('A limit that refused something in a Space.')
export class NoteReachedLimit {
  @Field(f.id()) spaceId!: string;
  @Field(f.text({ min: 1, max: 200 }), { description: 'Name of the limit.' }) limit!: string;
  @Field(f.number(), { description: 'Value of the limit.' }) value!: number;
  @Field(f.time(), { nullable: true, description: 'Time at which it allows more; null if it does not by itself.' })
  until!: string | null;
}

export class LimitNoted {
  @Field(f.bool(), { description: 'Whether a subscription of the Space wants the event.' }) isWatched!: boolean;
}
