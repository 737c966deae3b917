import type { Manifest, ManifestSubscription } from '@switchyard/contracts';
import { AppError, type ErrorDetail, parseFilter, subschemasOf } from '@switchyard/kernel';

/** Of all events together: compiling holds the process. */
const MAX_SUBSCHEMAS = 3000;

/** Checks beyond a manifest's schema: repeated names, subscriptions without a target, filters. */
export function checkManifest(manifest: Manifest): void {
  const details: ErrorDetail[] = [];
  const names = new Set<string>();
  manifest.events.forEach((event, index) => {
    const path = `manifest.events[${index}]`;
    if (names.has(event.name)) details.push({ path: `${path}.name`, message: 'is declared twice' });
    names.add(event.name);
    if (event.emitOn) details.push(...filterProblems(event.emitOn.filter, `${path}.emitOn.filter`));
  });
  (manifest.subscriptions ?? []).forEach((entry, index) => {
    details.push(...subscriptionProblems(entry, names, `manifest.subscriptions[${index}]`));
  });
  const subschemas = manifest.events.reduce((sum, { schema }) => sum + subschemasOf(schema).length, 0);
  if (subschemas > MAX_SUBSCHEMAS) {
    details.push({
      path: 'manifest.events',
      message: `must not hold more than ${MAX_SUBSCHEMAS} schemas in all`,
    });
  }
  const [first] = details;
  if (first) throw new AppError('VALIDATION_ERROR', `${first.path} ${first.message}.`, { details });
}

function subscriptionProblems(entry: ManifestSubscription, names: ReadonlySet<string>, path: string): ErrorDetail[] {
  const problems = filterProblems(entry.filter, `${path}.filter`);
  if (!names.has(entry.event)) problems.push({ path: `${path}.event`, message: 'is not an event of this manifest' });
  if ((entry.task === undefined) === (entry.taskId === undefined)) {
    problems.push({ path, message: 'must have either a task or a taskId' });
  }
  const type = entry.task?.['type'];
  if (type !== undefined && type !== 'EVENT') problems.push({ path: `${path}.task.type`, message: 'must be EVENT' });
  return problems;
}

function filterProblems(filter: unknown, path: string): ErrorDetail[] {
  try {
    parseFilter(filter, undefined, path);
    return [];
  } catch (error) {
    if (error instanceof AppError) return error.details ?? [{ path, message: error.message }];
    throw error;
  }
}
