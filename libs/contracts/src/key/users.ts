import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';

@Described('A user.')
export class UserView {
  @Field(f.id()) id!: string;
  @Field(f.text(), { description: 'E-mail address.' }) email!: string;
  @Field(f.text()) name!: string;
  @Field(f.time()) createdAt!: string;
  @Field(f.bool(), { optional: true, description: 'Only where the account runs the platform.' }) operator?: boolean;
  @Field(f.oneOf(['SERVICE'] as const), { optional: true, description: '`SERVICE` for the account of a service.' })
  type?: 'SERVICE';
}
