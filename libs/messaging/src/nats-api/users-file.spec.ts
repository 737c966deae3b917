import { accountPermissions } from './subjects';
import { readUsersFile, servicesServerConfig, usersFile } from './users-file';

const platform = `U${'P'.repeat(55)}`;
const user = (letter: string) => ({ account: letter.repeat(22), publicKey: `U${letter.repeat(55)}` });

describe('the file of users', () => {
  it('has the rights of each account, and nothing else of it', () => {
    const text = usersFile(7, [user('A'), user('B')], platform);
    expect(readUsersFile(text)).toEqual({ platform, revision: 7, users: 2 });
    expect(text).toContain(JSON.stringify(accountPermissions('A'.repeat(22)).publish));
    expect(readUsersFile(usersFile(3, [user('A')]))).toEqual({ platform: null, revision: 3, users: 1 });
    expect(readUsersFile('')).toEqual({ platform: null, revision: null, users: 0 });
  });

  it.each([
    { ...user('A'), account: 'a.>' },
    { ...user('A'), account: `${'a'.repeat(21)}"` },
    { ...user('A'), publicKey: 'UA } ] include "/etc/passwd"' },
    { ...user('A'), publicKey: `S${'A'.repeat(55)}` },
  ])('leaves out an account like %j, and has the others', (account) => {
    const text = usersFile(1, [user('A'), account, user('B')], platform);
    const others = usersFile(1, [user('A'), user('B')], platform);
    expect(text.replace(/^# left out because their id or public key is damaged: 1\n/m, '')).toBe(others);
    expect(readUsersFile(text)).toEqual({ platform, revision: 1, users: 2 });
  });

  it('is included by the configuration of a server without JetStream', () => {
    const config = servicesServerConfig({ host: '127.0.0.1', port: 4223, usersFile: 'users.conf' });
    expect(config).toContain('include "users.conf"');
    expect(config).not.toContain('jetstream');
  });
});
