import type { TaskStep } from '@switchyard/contracts';
import {
  SECRETS_TOGETHER_MAX,
  eachText,
  findSecretMention,
  hasOnlyReferences,
  invalid,
  mentionsSecret,
  secretNamesInJson,
} from '@switchyard/kernel';
import { parseTemplate } from './template';

const ALLOWED = 'Secrets can only be used in the query of the url, the headers and the body of http steps';

/** The fields of a task beside its steps: none of them may name a secret. */
export function refuseSecrets(fields: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(fields)) {
    const at = findSecretMention(value, name);
    if (at !== null) throw invalid(at, `must not name a secret. ${ALLOWED}`);
  }
}

/** Refuses a step that names a secret where it could be recorded, or sent to an address that another person chooses. */
export function checkStepSecrets(step: TaskStep, path: string): void {
  if (step.if !== undefined) refuseSecrets({ [`${path}.if`]: step.if });
  const { url, headers, body, ...rest } = step.with;
  const isHttp = step.type === 'http';
  refuseSecrets({ [`${path}.with`]: isHttp ? rest : step.with });
  if (!isHttp) return;
  checkUrl(url, `${path}.with.url`);
  checkValues(headers, `${path}.with.headers`);
  if (typeof headers === 'string') refuseSecrets({ [`${path}.with.headers`]: headers });
  checkValues(body, `${path}.with.body`);
}

/** The secrets that the steps name. */
export const secretNamesOf = (steps: readonly TaskStep[]): string[] =>
  secretNamesInJson(steps.filter((step) => step.type === 'http').map((step) => step.with));

/** The same, for saving. The answer of every http step is searched for all of them. */
export function checkedSecretNames(steps: readonly TaskStep[]): string[] {
  const names = secretNamesOf(steps);
  if (names.length > SECRETS_TOGETHER_MAX)
    throw invalid('steps', `must not name more than ${SECRETS_TOGETHER_MAX} secrets together`);
  return names;
}

/** A key of an object is sent as well, but recorded as it is; only values are filled in. */
function checkValues(value: unknown, path: string): void {
  eachText(value, path, (text, at) => {
    checkReferences(text, at);
  });
  refuseKeys(value, path);
}

function refuseKeys(value: unknown, path: string): void {
  if (Array.isArray(value))
    value.forEach((item, i) => {
      refuseKeys(item, `${path}[${i}]`);
    });
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      if (mentionsSecret(key)) throw invalid(path, `must not name a secret in the name of a field. ${ALLOWED}`);
      refuseKeys(item, `${path}.${key}`);
    }
}

function checkReferences(text: string, path: string): void {
  if (!hasOnlyReferences(text)) throw invalid(path, 'must name a secret as {{ secrets.NAME }}, without filters');
}

/** After a literal question mark and before a fragment: always the query. */
function checkUrl(url: unknown, path: string): void {
  if (typeof url !== 'string') return;
  checkReferences(url, path);
  let isQuery = false;
  for (const part of parseTemplate(url)) {
    if (typeof part === 'string') isQuery = (isQuery || part.includes('?')) && !part.includes('#');
    else if ('path' in part.head && part.head.path[0] === 'secrets' && !isQuery)
      throw invalid(path, `must name secrets in its query alone. ${ALLOWED}`);
  }
}
