import type { Ctx, TaskStep } from '@switchyard/contracts';
import { hasScope, roleAtLeast } from '@switchyard/contracts';
import { MASKED, isPlainObject } from '@switchyard/kernel';
import { hasExpression, parseTemplate } from './template';

const CREDENTIAL_HEADER = /^(authorization|proxy-authorization|cookie|x-api-key)$/i;
/** Text beside a template that is no credential, such as `Bearer `. */
const SCHEME = /^\s*(?:(?:bearer|basic|token|api-?key)\s+)?$/i;

/** Steps as the caller may see them: credentials that are written out are for those who may change the task. */
export function shownSteps(ctx: Pick<Ctx, 'role' | 'scopes'>, steps: readonly TaskStep[]): TaskStep[] {
  const mayWrite = hasScope(ctx.scopes, 'tasks:write') && (ctx.role === null || roleAtLeast(ctx.role, 'MEMBER'));
  return mayWrite ? [...steps] : steps.map(withoutCredentials);
}

function withoutCredentials(step: TaskStep): TaskStep {
  const { headers } = step.with;
  if (step.type !== 'http' || !isPlainObject(headers)) return step;
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    CREDENTIAL_HEADER.test(name) && isLiteral(value) ? MASKED : value,
  ]);
  return { ...step, with: { ...step.with, headers: Object.fromEntries(shown) } };
}

/** The recorded input of a step, whose templates are filled in: no credential is shown to anybody. */
export function withoutCredentialHeaders(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, CREDENTIAL_HEADER.test(name) ? MASKED : value]),
  );
}

/** Whether any of the value is written in the task itself and not read from somewhere when it runs. */
function isLiteral(value: unknown): boolean {
  if (typeof value !== 'string' || !hasExpression(value)) return true;
  try {
    const parts = parseTemplate(value);
    const isRead = parts.every(
      (part) => typeof part === 'string' || ('path' in part.head && part.filters.length === 0),
    );
    return !isRead || !SCHEME.test(parts.filter((part) => typeof part === 'string').join(''));
  } catch {
    return true;
  }
}
