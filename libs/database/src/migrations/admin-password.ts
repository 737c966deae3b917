import { oneWritingClient } from '../client/servers/connect-to-primary';

const WRONG_PASSWORD = '28P01';

const withPassword = (adminUrl: string, password: string): string => {
  const url = new URL(adminUrl);
  url.password = encodeURIComponent(password);
  return url.href;
};

/**
 * Ensures that the administrator's password is this one, and returns the URL. If it is refused, tries earlier ones and
 * changes the password. Idempotent.
 */
export async function adoptPassword(
  adminUrl: string,
  password: string,
  before: readonly string[] = [],
): Promise<string> {
  const target = withPassword(adminUrl, password);
  for (const candidate of [password, ...before]) {
    const admin = oneWritingClient({ connectionString: withPassword(adminUrl, candidate) });
    try {
      await admin.connect();
      if (candidate !== password) await setPassword(admin, password);
      return target;
    } catch (error) {
      if ((error as { code?: string }).code !== WRONG_PASSWORD) throw error;
    } finally {
      await admin.end().catch(() => undefined);
    }
  }
  throw new Error(
    'Postgres accepts neither the password that is kept with the secrets nor the default of earlier versions. Set POSTGRES_PASSWORD to the one that it has.',
  );
}

async function setPassword(admin: ReturnType<typeof oneWritingClient>, password: string): Promise<void> {
  // Statements that change roles take no parameters.
  const { rows } = await admin.query<{ change: string }>(
    `select format('alter role %I password %L', current_user, $1::text) as change`,
    [password],
  );
  await admin.query(rows[0]?.change ?? '');
}
