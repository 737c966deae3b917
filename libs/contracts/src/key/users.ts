import { Field } from '../fields/field';
import { f } from '../fields/spec';

export class UserView {
  @Field(f.id()) id!: string;
  @Field(f.text()) email!: string;
  @Field(f.text()) name!: string;
  @Field(f.time()) createdAt!: string;
  @Field(f.bool(), { optional: true, description: 'Only where the account runs the platform.' }) operator?: boolean;
}
