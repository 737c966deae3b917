import { Described, Field, PublicJwk, f } from '@switchyard/contracts';

@Described('Links the account of the caller with an external identity.')
export class LinkIdentityBody {
  @Field(f.text({ min: 1, max: 16_384 }), { description: 'A token of the external issuer.' }) token!: string;
}

@Described('A JSON Web Key Set (RFC 7517).')
export class Jwks {
  @Field(f.list(f.object(() => PublicJwk)), { description: 'Public keys. Tokens name theirs in `kid`.' })
  keys!: PublicJwk[];
}
