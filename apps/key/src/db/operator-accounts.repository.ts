import { Injectable } from '@nestjs/common';
import type { SpaceName, SpaceOfAccount } from '@switchyard/contracts';
import type { PageWindow, TimePosition, Tx } from '@switchyard/database';

/** An account as operators see it, whichever Spaces it belongs to. */
export interface AccountRow {
  id: string;
  email: string;
  name: string;
  operator: boolean;
  disabledAt: string | null;
  createdAt: string;
  lastSignedInAt: string | null;
  spaces: SpaceOfAccount[];
}

/** State of an account for checks of role changes. */
export interface AccountState {
  id: string;
  operator: boolean;
  isDisabled: boolean;
  hasPassword: boolean;
  /** The password is one that somebody else chose. */
  hasPasswordOfOthers: boolean;
  /** It signed in at an external issuer, and no identity of it is of the issuer that is configured now. */
  hasFormerIssuerOnly: boolean;
}

const SPACES_SHOWN_IN_LISTS = 100;

const ACCOUNT = 'u.id, u.email, u.name, u.operator, u.disabled_at, u.created_at, u.last_signed_in_at';

/** The same with its Spaces; `$1` says how many of them. */
const WITH_SPACES = `${ACCOUNT}, coalesce((
    select json_agg(json_build_object('id', x.id, 'name', x.name, 'role', x.role) order by x.created_at, x.id)
    from (select s.id, s.name, m.role, m.created_at from members m join spaces s on s.space_id = m.space_id
           where m.user_id = u.id order by m.created_at, s.id limit $1) x), '[]') as spaces`;

const OWN_PASSWORD = `u.password_hash is not null and (not u.password_by_others or u.password_changed_at is not null)`;

/** Tokens of another issuer than the configured one are refused: an identity of it is no way to sign in. */
const isOfIssuer = (issuer: string): string =>
  `exists (select 1 from external_identities e where e.user_id = u.id and e.issuer = ${issuer}::text)`;

/** Accounts over all Spaces: the transaction must be allowed to see every Space. */
@Injectable()
export class OperatorAccountsRepository {
  find(tx: Tx, id: string): Promise<AccountRow | null> {
    return tx.one<AccountRow>(`select ${WITH_SPACES} from users u where u.id = $2`, [null, id]);
  }

  /** All that have the address, oldest first. */
  listOfEmail(tx: Tx, email: string): Promise<AccountRow[]> {
    return tx.query<AccountRow>(
      `select ${WITH_SPACES} from users u where u.email = $2 order by u.created_at, u.id limit 100`,
      [SPACES_SHOWN_IN_LISTS, email],
    );
  }

  /** Newest first; `part` is a part of the address or the name, or the id. */
  list(
    tx: Tx,
    page: PageWindow<TimePosition> & { part: string | null; onlyOperators: boolean },
  ): Promise<AccountRow[]> {
    return tx.query<AccountRow>(
      `select ${WITH_SPACES} from users u
       where ($2::timestamptz is null or (u.created_at, u.id) < ($2::timestamptz, $3::uuid))
         and ($4::text is null or position(lower($4) in lower(u.email)) > 0 or position(lower($4) in lower(u.name)) > 0
              or u.id::text = lower($4))
         ${page.onlyOperators ? 'and u.operator' : ''}
       order by u.created_at desc, u.id desc limit $5`,
      [SPACES_SHOWN_IN_LISTS, page.after?.at ?? null, page.after?.id ?? null, page.part, page.take],
    );
  }

  /** Locked, so that two changes of an account follow each other. */
  findStateLocked(tx: Tx, id: string, issuer: string | null): Promise<AccountState | null> {
    return tx.one<AccountState>(
      `select u.id, u.operator, u.disabled_at is not null as is_disabled, u.password_hash is not null as has_password,
              u.password_hash is not null and not (${OWN_PASSWORD}) as has_password_of_others,
              exists (select 1 from external_identities e where e.user_id = u.id) and not ${isOfIssuer('$2')}
                as has_former_issuer_only
       from users u where u.id = $1 for update`,
      [id, issuer],
    );
  }

  /** One change at a time of who is an operator and who can sign in. */
  async lockOperators(tx: Tx): Promise<void> {
    await tx.run(`select pg_advisory_xact_lock(hashtext('operators'))`);
  }

  /** Whether an operator but this one can sign in: with a password of the person's own choice, or at the issuer. */
  async hasOtherOperator(tx: Tx, id: string, issuer: string | null): Promise<boolean> {
    return (
      (await tx.one(
        `select 1 as found from users u
         where u.operator and u.disabled_at is null and u.id <> $1
           and ((${OWN_PASSWORD}) or ${isOfIssuer('$2')})
         limit 1`,
        [id, issuer],
      )) !== null
    );
  }

  /** The Spaces that the account belongs to. */
  async listSpaceIds(tx: Tx, id: string): Promise<string[]> {
    const rows = await tx.query<{ spaceId: string }>('select space_id from members where user_id = $1', [id]);
    return rows.map(({ spaceId }) => spaceId);
  }

  /** The Spaces whose one OWNER who can sign in this account is. */
  listLastOwned(tx: Tx, id: string, issuer: string | null): Promise<SpaceName[]> {
    return tx.query<SpaceName>(
      `select s.id, s.name from members m join spaces s on s.space_id = m.space_id
       where m.user_id = $1 and m.role = 'OWNER' and not exists (
         select 1 from members o join users u on u.id = o.user_id
         where o.space_id = m.space_id and o.role = 'OWNER' and o.user_id <> m.user_id and u.disabled_at is null
           and (u.password_hash is not null or ${isOfIssuer('$2')}))
       order by m.created_at, s.id`,
      [id, issuer],
    );
  }

  async setDisabled(tx: Tx, id: string, isDisabled: boolean): Promise<void> {
    await tx.run(
      `update users set disabled_at = case when $2::boolean then coalesce(disabled_at, clock_timestamp()) end where id = $1`,
      [id, isDisabled],
    );
  }

  async setOperator(tx: Tx, id: string, operator: boolean): Promise<void> {
    await tx.run('update users set operator = $2 where id = $1', [id, operator]);
  }
}
