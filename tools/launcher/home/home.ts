import { accessSync, chmodSync, constants } from 'node:fs';
import path from 'node:path';
import { StopSentence } from '../stop-sentence';
import { makeFolder } from './make-folder';

/** The folder that holds everything one running platform keeps: secrets, data, logs. */
export interface Home {
  directory: string;
  logs: string;
  file(name: string): string;
  /** A folder of this home, made when missing. */
  folder(name: string): string;
}

export function openHome(directory: string): Home {
  const absolute = path.resolve(directory);
  const logs = path.join(absolute, 'logs');
  try {
    makeFolder(logs);
    accessSync(absolute, constants.W_OK | constants.X_OK);
    accessSync(logs, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StopSentence(`Cannot write to ${absolute} (${reason}). Set SWITCHYARD_HOME to a folder of your own.`);
  }
  // Others may pass through (the database's own user must), but not look around.
  chmodQuietly(absolute, 0o711);
  chmodQuietly(logs, 0o700);
  return {
    directory: absolute,
    logs,
    file: (name) => path.join(absolute, name),
    folder: (name) => {
      const folder = path.join(absolute, name);
      makeFolder(folder);
      return folder;
    },
  };
}

function chmodQuietly(file: string, mode: number): void {
  try {
    chmodSync(file, mode);
  } catch {
    // Not ours to change: the caller's folder keeps the mode that its owner gave it.
  }
}
