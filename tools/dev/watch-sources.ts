import { type FSWatcher, watch } from 'node:fs';

/** An editor writes several files, and each of them in several steps. */
const SETTLED_MS = 150;

/** Calls `onChange` once the sources have settled after a change. Returns what ends it. */
export function watchSources(folders: readonly string[], onChange: (file: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const onData = (file: string | null): void => {
    if (file === null || !isSource(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => onChange(file), SETTLED_MS);
  };
  const watchers: FSWatcher[] = folders.map((folder) => watch(folder, { recursive: true }, (_, file) => onData(file)));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

const isSource = (file: string): boolean => file.endsWith('.ts') && !file.endsWith('.spec.ts');
