import { chownSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export interface SystemUser {
  uid: number;
  gid: number;
}

/** Postgres refuses to run as root. Root lends it the `postgres` user, or `nobody`; everybody else runs it as himself. */
export function unprivilegedUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const entry = ['postgres', 'nobody'].map((name) => lines.find((line) => line.startsWith(`${name}:`))).find(Boolean);
  const [, , uid = '65534', gid = '65534'] = (entry ?? '').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Whether that user could get to `folder`: each of its parents lets others, or this user, pass. */
export function canReach(folder: string, user: SystemUser): boolean {
  for (let parent = path.dirname(folder); ; parent = path.dirname(parent)) {
    const { mode, uid, gid } = statSync(parent);
    const passes = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & passes) === 0) return false;
    if (parent === path.dirname(parent)) return true;
  }
}

export function giveTo(folder: string, user: SystemUser | undefined): void {
  if (user) chownSync(folder, user.uid, user.gid);
}
