import type { Tx } from '@switchyard/database';

export interface UserRow {
  id: string;
  email: string;
  name: string;
  createdAt: string;
}

export interface UserWithPassword extends UserRow {
  passwordHash: string | null;
}

const COLUMNS = 'id, email, name, created_at';

export const usersRepository = {
  find: (tx: Tx, id: string): Promise<UserRow | null> =>
    tx.one<UserRow>(`select ${COLUMNS} from users where id = $1`, [id]),

  findByEmail: (tx: Tx, email: string): Promise<UserWithPassword | null> =>
    tx.one<UserWithPassword>(`select ${COLUMNS}, password_hash from users where email = $1`, [email]),

  findWithPassword: (tx: Tx, id: string): Promise<UserWithPassword | null> =>
    tx.one<UserWithPassword>(`select ${COLUMNS}, password_hash from users where id = $1`, [id]),

  hasAny: async (tx: Tx): Promise<boolean> => (await tx.one(`select 1 as found from users limit 1`, [])) !== null,

  /** One replica at a time makes the first account. */
  lockFirst: async (tx: Tx): Promise<void> => {
    await tx.run(`select pg_advisory_xact_lock(hashtext('first account'))`);
  },

  /** Null when somebody else made the account in the same moment. */
  insertUnlessThere: (
    tx: Tx,
    user: { id: string; email: string; name: string; passwordHash: string | null },
  ): Promise<UserRow | null> =>
    tx.one<UserRow>(
      `insert into users (id, email, name, password_hash) values ($1, $2, $3, $4)
       on conflict (email) do nothing returning ${COLUMNS}`,
      [user.id, user.email, user.name, user.passwordHash],
    ),

  setPasswordHash: (tx: Tx, id: string, passwordHash: string): Promise<number> =>
    tx.count(`update users set password_hash = $2 where id = $1`, [id, passwordHash]),

  findLinked: (tx: Tx, issuer: string, subject: string): Promise<UserRow | null> =>
    tx.one<UserRow>(
      `select u.id, u.email, u.name, u.created_at from external_identities e join users u on u.id = e.user_id
       where e.issuer = $1 and e.subject = $2`,
      [issuer, subject],
    ),

  /** False when the identity, or the person's place at this issuer, is taken. */
  link: async (tx: Tx, issuer: string, subject: string, userId: string): Promise<boolean> =>
    (await tx.count(
      `insert into external_identities (issuer, subject, user_id) values ($1, $2, $3) on conflict do nothing`,
      [issuer, subject, userId],
    )) === 1,
};
