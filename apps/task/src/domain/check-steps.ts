import {
  type FieldMetadata,
  PLATFORM_APPLICATIONS,
  PLATFORM_EVENTS,
  type StepType,
  type TaskStep,
  type Validator,
  compileValidator,
  fieldsOf,
  schemaOf,
  stepDeclaration,
} from '@switchyard/contracts';
import { invalid, isPlainObject } from '@switchyard/kernel';
import { checkStepSecrets } from './secret-rules';
import { SAVED_TEXT, TemplateError, hasExpression, parseTemplate } from './template';

/** Whether `with` is saved, when it may have templates, or runs, when they are filled in. */
export type Templates = 'allowed' | 'filled';

const validators = new Map<FieldMetadata, Validator>();

function validatorOfField(field: FieldMetadata): Validator {
  let validator = validators.get(field);
  if (!validator) {
    validator = compileValidator(field.spec.render((type) => schemaOf(type)));
    validators.set(field, validator);
  }
  return validator;
}

function isTemplated(value: unknown): boolean {
  if (typeof value === 'string') return hasExpression(value);
  if (Array.isArray(value)) return value.some(isTemplated);
  return isPlainObject(value) && Object.values(value).some(isTemplated);
}

const below = (path: string, detail: string): string =>
  detail === '' || detail.startsWith('[') ? `${path}${detail}` : `${path}.${detail}`;

/** Checks `with`: at saving time what holds no template yet, at run time everything. */
export function checkStepInput(
  stepType: StepType,
  input: Record<string, unknown>,
  path: string,
  templates: Templates,
): void {
  const { input: filled, savedInput } = stepDeclaration(stepType);
  const shape = templates === 'allowed' && savedInput ? savedInput(input) : filled(input);
  if (!shape) return;
  const fields = new Map(shape.types.flatMap((type) => fieldsOf(type)).map((field) => [field.name, field]));
  const unknown = Object.keys(input).find((name) => !fields.has(name));
  if (unknown !== undefined && !shape.isOpen)
    throw invalid(`${path}.${unknown}`, `is not a field of a step of type ${stepType}`);
  for (const field of fields.values()) {
    const value = Object.hasOwn(input, field.name) ? input[field.name] : undefined;
    if (value === undefined) {
      if (!field.options.optional) throw invalid(`${path}.${field.name}`, 'is required');
      continue;
    }
    if (templates === 'allowed' && isTemplated(value)) continue;
    const [detail] = validatorOfField(field)(value) ?? [];
    if (detail) throw invalid(below(`${path}.${field.name}`, detail.path), detail.message);
  }
}

function checkTemplates(value: unknown, path: string): void {
  if (typeof value === 'string') {
    try {
      if (hasExpression(value)) parseTemplate(value, SAVED_TEXT);
    } catch (error) {
      if (error instanceof TemplateError) throw invalid(path, `is not a template: it ${error.message}`);
      throw error;
    }
  } else if (Array.isArray(value))
    value.forEach((item, i) => {
      checkTemplates(item, `${path}[${i}]`);
    });
  else if (isPlainObject(value))
    for (const [key, item] of Object.entries(value)) checkTemplates(item, `${path}.${key}`);
}

function checkCondition(condition: string, path: string): void {
  checkTemplates(condition, path);
  const parts = parseTemplate(condition.trim());
  if (parts.length !== 1 || typeof parts[0] === 'string')
    throw invalid(path, 'must be exactly one template, such as {{ execution.inputs.go }}');
}

const pathInTask = (index: number): string => `steps[${index}]`;

/** The addresses of http steps that are known before a run: those without a template. */
export const literalUrls = (steps: readonly TaskStep[], pathOf = pathInTask): { url: string; path: string }[] =>
  steps.flatMap(({ type, with: { url } }, i) =>
    type === 'http' && typeof url === 'string' && !hasExpression(url) ? [{ url, path: `${pathOf(i)}.with.url` }] : [],
  );

/** Events of the platform are emitted by the platform alone. */
function checkEmission({ type, with: { appIdentifier, event } }: TaskStep, path: string): void {
  if (type !== 'emit' || typeof appIdentifier !== 'string' || !PLATFORM_APPLICATIONS.includes(appIdentifier)) return;
  // In a Space of before, another application may have the identifier.
  if (typeof event === 'string' && !hasExpression(event) && !Object.hasOwn(PLATFORM_EVENTS, event)) return;
  throw invalid(
    `${path}.with.appIdentifier`,
    'must not be the application of the platform, which emits its events itself',
  );
}

/** Refuses steps that could never run, so that a task that was saved is a task that starts. */
export function checkSteps(steps: readonly TaskStep[]): void {
  const seen = new Set<string>();
  steps.forEach((step, i) => {
    const path = pathInTask(i);
    if (seen.has(step.id)) throw invalid(`${path}.id`, `is the id of an earlier step too: ${step.id}`);
    seen.add(step.id);
    checkStep(step, path);
  });
}

export function checkStep(step: TaskStep, path: string): void {
  if (step.if !== undefined) checkCondition(step.if, `${path}.if`);
  checkTemplates(step.with, `${path}.with`);
  checkStepInput(step.type, step.with, `${path}.with`, 'allowed');
  checkEmission(step, path);
  checkStepSecrets(step, path);
}
