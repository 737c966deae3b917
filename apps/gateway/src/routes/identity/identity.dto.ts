import { Field, PublicJwk, f } from '@switchyard/contracts';

export class LinkIdentityBody {
  @Field(f.text({ min: 1, max: 16_384 }), { description: 'A token of the external issuer.' }) token!: string;
}

/** A JSON Web Key Set (RFC 7517). */
export class Jwks {
  @Field(f.list(f.object(() => PublicJwk))) keys!: PublicJwk[];
}
