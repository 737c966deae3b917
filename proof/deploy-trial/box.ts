import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '@switchyard/testing';
import { endsWithUs, runToEnd } from '../../tools/launcher/processes/transient';
import { must } from './must';

/** Turns into a host with its own roots, processes and network, and waits there to be used. */
const ENTER = `
set -e
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
mount -t proc proc "$ROOT/proc"
mount -t sysfs sysfs "$ROOT/sys"
mount --rbind /sys/fs/cgroup "$ROOT/sys/fs/cgroup"
mount --rbind /dev "$ROOT/dev"
mount -t tmpfs tmpfs "$ROOT/run"
mount -t tmpfs tmpfs "$ROOT/tmp"
mkdir -p "$ROOT/share" "$ROOT/run/lock"
mount --bind "$SHARE" "$ROOT/share"
ip link set lo up
cd "$ROOT"
pivot_root . mnt
cd /
umount -l /mnt
exec tini -s -- sleep infinity
`;

const ENVIRONMENT = ['PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'LANG=C.UTF-8'];

/** A machine within this one: Debian's newest suite with Docker's engine, in namespaces of its own. */
export class Box {
  private readonly children: ChildProcess[] = [];

  private constructor(private readonly pid: number) {}

  static async open(root: string, share: string): Promise<Box> {
    writeFileSync(path.join(root, 'etc/resolv.conf'), 'nameserver 10.0.2.3\n');
    mkdirSync(path.join(root, 'var/lib/docker'), { recursive: true });
    const namespaces = ['--mount', '--pid', '--net', '--uts', '--ipc', '--fork', '--kill-child'];
    const holder = spawn('unshare', [...namespaces, 'sh', '-c', ENTER], {
      env: { PATH: process.env.PATH, ROOT: root, SHARE: share },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    endsWithUs(holder);
    const children = `/proc/${holder.pid}/task/${holder.pid}/children`;
    const inside = await until(() => Number(readFileSync(children, 'utf8').trim().split(' ')[0]));
    const box = new Box(inside);
    box.children.push(holder);
    const network = spawn('slirp4netns', ['--configure', '--mtu=65520', `${inside}`, 'tap0'], { stdio: 'ignore' });
    endsWithUs(network);
    box.children.push(network);
    // Before it has changed its root it sees the files of this machine, and there is no /share.
    const isReady = 'test -d /share && ip addr show tap0 | grep -q 10.0.2.100 && echo yes';
    await until(async () => (await box.try('sh', '-c', isReady)) !== '');
    return box;
  }

  /** Starts Docker's engine, and waits until it answers. */
  async startEngine(): Promise<string> {
    const engine = spawn('nsenter', this.words('sh', '-c', 'exec dockerd > /share/dockerd.log 2>&1'), {
      stdio: 'ignore',
    });
    endsWithUs(engine);
    this.children.push(engine);
    const version = ['docker', 'version', '--format', '{{.Server.Version}}'];
    const answers = async (): Promise<string> => (await this.try(...version)).trim();
    return until(answers, { timeoutMs: 60_000 }).catch(async (error: unknown) => {
      console.log(await this.try('tail', '-n', '15', '/share/dockerd.log'));
      throw error;
    });
  }

  run(...command: string[]): Promise<string> {
    return must(['nsenter', ...this.words(...command)]);
  }

  /** Commands that an operator types in a folder of the box; the first that fails ends them. */
  shell(folder: string, commands: string): Promise<string> {
    return this.run('sh', '-ec', `cd ${folder}\n${commands}`);
  }

  /** Its output, or nothing if it failed. */
  private async try(...command: string[]): Promise<string> {
    const { code, stdout } = await runToEnd('nsenter', this.words(...command));
    return code === 0 ? stdout : '';
  }

  /** This program with the network of the box, and nothing else of it. */
  withItsNetwork(...command: string[]): string[] {
    return ['nsenter', '--target', `${this.pid}`, '--net', ...command];
  }

  private words(...command: string[]): string[] {
    return ['--target', `${this.pid}`, '--all', 'env', '-i', '-C', '/', ...ENVIRONMENT, ...command];
  }

  close(): void {
    for (const child of this.children.reverse()) child.kill('SIGKILL');
  }
}
