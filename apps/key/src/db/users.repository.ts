import { Injectable } from '@nestjs/common';
import type { RowOf, Tx } from '@switchyard/database';
import { users } from './tables';

export type UserRow = Pick<RowOf<typeof users>, (typeof SHOWN)[number]>;
export type UserWithPassword = UserRow & Pick<RowOf<typeof users>, 'passwordHash'>;
export type NewUser = Pick<UserRow, 'id' | 'email' | 'name' | 'operator'> & {
  passwordHash: string;
  homeSpaceId: string;
  passwordByOthers: boolean;
};

const SHOWN = ['id', 'email', 'name', 'createdAt', 'operator', 'disabledAt'] as const;
/** Lists of accounts go over members and identities of all Spaces: they are SQL of their own. */
const COLUMNS = 'u.id, u.email, u.name, u.created_at, u.operator, u.disabled_at';
const LAST_SIGNED_IN_FIRST = 'u.last_signed_in_at desc nulls last, u.created_at, u.id';

@Injectable()
export class UsersRepository {
  find(tx: Tx, id: string): Promise<UserRow | null> {
    return tx
      .rows(users)
      .only(...SHOWN)
      .find({ id });
  }

  /** The account, which stays as long as the transaction. */
  findLocked(tx: Tx, id: string): Promise<Pick<UserRow, 'id'> | null> {
    return tx.rows(users).only('id').lock({ id });
  }

  findWithPassword(tx: Tx, id: string): Promise<UserWithPassword | null> {
    return tx
      .rows(users)
      .only(...SHOWN, 'passwordHash')
      .find({ id });
  }

  /**
   * The accounts with this e-mail address. Operators come first, so that other accounts of the same address cannot push
   * them out of the limit; then those last signed in. An operator needs no Space; a disabled account is none.
   */
  listForLogin(tx: Tx, email: string, spaceId: string | null, limit: number): Promise<UserWithPassword[]> {
    return tx.query<UserWithPassword>(
      `select ${COLUMNS}, u.password_hash from users u
       where u.email = $1 and u.password_hash is not null and u.disabled_at is null
         and (exists (select 1 from members m where m.user_id = u.id and ($2::uuid is null or m.space_id = $2::uuid))
           or ($2::uuid is null and u.operator))
       order by u.operator desc, ${LAST_SIGNED_IN_FIRST} limit $3`,
      [email, spaceId, limit],
    );
  }

  listOperators(tx: Tx, limit: number): Promise<{ id: string; email: string }[]> {
    return tx.query('select id, email from users where operator order by created_at, id limit $1', [limit]);
  }

  async hasAny(tx: Tx): Promise<boolean> {
    return (await tx.one(`select 1 as found from users limit 1`, [])) !== null;
  }

  /** One replica at a time makes the first account. */
  async lockFirst(tx: Tx): Promise<void> {
    await tx.run(`select pg_advisory_xact_lock(hashtext('first account'))`);
  }

  async insert(tx: Tx, user: NewUser): Promise<UserRow> {
    const { id, email, name, createdAt, operator, disabledAt } = await tx.rows(users).insert(user);
    return { id, email, name, createdAt, operator, disabledAt };
  }

  /** Chosen by the person, who alone knows it. */
  async setOwnPassword(tx: Tx, id: string, passwordHash: string): Promise<void> {
    await tx.rows(users).change({ id }, { passwordHash, passwordChangedAt: () => 'clock_timestamp()' });
  }

  async endPassword(tx: Tx, id: string): Promise<void> {
    await tx.rows(users).change({ id }, { passwordHash: null });
  }

  async noteSignIn(tx: Tx, id: string): Promise<void> {
    await tx.rows(users).change({ id }, { lastSignedInAt: () => 'clock_timestamp()' });
  }

  /**
   * An account that is a member of no Space can do nothing, and does not block its address. Locked first: it may
   * join one at this moment.
   */
  async dropWithoutSpace(tx: Tx, id: string): Promise<number> {
    if ((await this.findLocked(tx, id)) === null) return 0;
    return tx.count(
      `delete from users u where u.id = $1 and not u.operator and not exists (select 1 from members m where m.user_id = u.id)`,
      [id],
    );
  }

  /** Accounts of the identity that are members of a Space, or operators, last signed in first. */
  listLinked(tx: Tx, issuer: string, subject: string): Promise<UserRow[]> {
    return tx.query<UserRow>(
      `select ${COLUMNS} from external_identities e join users u on u.id = e.user_id
       where e.issuer = $1 and e.subject = $2
         and (u.operator or exists (select 1 from members m where m.user_id = u.id))
       order by ${LAST_SIGNED_IN_FIRST}`,
      [issuer, subject],
    );
  }

  /** The account among those of the same external identity that is a member of the Space. */
  findSiblingInSpace(tx: Tx, userId: string, spaceId: string): Promise<UserRow | null> {
    return tx.one<UserRow>(
      `select ${COLUMNS} from external_identities own
       join external_identities e on e.issuer = own.issuer and e.subject = own.subject
       join users u on u.id = e.user_id
       join members m on m.user_id = u.id and m.space_id = $2
       where own.user_id = $1 order by ${LAST_SIGNED_IN_FIRST} limit 1`,
      [userId, spaceId],
    );
  }

  /** Accounts of the address without a linked identity of this issuer, but for those that others have made of it. */
  listUnlinked(tx: Tx, issuer: string, email: string, limit: number): Promise<UserRow[]> {
    return tx.query<UserRow>(
      `select ${COLUMNS} from users u
       where u.email = $2 and not u.password_by_others and not u.operator and exists (select 1 from members m where m.user_id = u.id)
         and not exists (select 1 from external_identities e where e.issuer = $1 and e.user_id = u.id)
       order by ${LAST_SIGNED_IN_FIRST} limit $3 for update of u`,
      [issuer, email, limit],
    );
  }

  /** False when the account has an identity of this issuer already. */
  async link(tx: Tx, issuer: string, subject: string, userId: string): Promise<boolean> {
    return (
      (await tx.count(
        `insert into external_identities (issuer, subject, user_id) values ($1, $2, $3) on conflict do nothing`,
        [issuer, subject, userId],
      )) === 1
    );
  }
}
