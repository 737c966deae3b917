import { stringify } from 'yaml';

/** One setting of the chart: what it is without being set, what it means, and what it may be. */
interface Setting {
  default: unknown;
  description: string;
  schema: object;
}

export interface SettingsGroup {
  description: string;
  settings: Settings;
  /** Its settings are explained where they stand for the first time. */
  isBrief?: boolean;
}

export type Settings = { [name: string]: Setting | SettingsGroup };

const isGroup = (each: Setting | SettingsGroup): each is SettingsGroup => 'settings' in each;

export const group = (description: string, settings: Settings): SettingsGroup => ({ description, settings });
export const text = (standard: string, description = '', schema: object = {}): Setting => ({
  default: standard,
  description,
  schema: { type: 'string', ...schema },
});
export const flag = (standard: boolean, description = ''): Setting => ({ default: standard, description, schema: { type: 'boolean' } });
export const whole = (standard: number, description = '', minimum = 0): Setting => ({
  default: standard,
  description,
  schema: { type: 'integer', minimum },
});
/** Objects of Kubernetes: what is in them the API server checks. */
export const objects = (standard: object[], description = '', schema: object = {}): Setting => ({
  default: standard,
  description,
  schema: { type: 'array', items: { type: 'object' }, ...schema },
});
export const object = (standard: object, description = ''): Setting => ({ default: standard, description, schema: { type: 'object' } });
export const list = (standard: unknown[], description: string, items: object): Setting => ({
  default: standard,
  description,
  schema: { type: 'array', items },
});
/** Names with texts, as labels, annotations and settings of the environment are. */
export const texts = (standard: Record<string, string>, description = '', schema: object = {}): Setting => ({
  default: standard,
  description,
  schema: { type: 'object', additionalProperties: { type: 'string' }, ...schema },
});

export const defaultsOf = (settings: Settings): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, each]) => [name, isGroup(each) ? defaultsOf(each.settings) : each.default]),
  );

const schemaOf = (each: Setting | SettingsGroup): object =>
  isGroup(each)
    ? { ...(each.description ? { description: each.description } : {}), ...groupSchema(each.settings) }
    : { ...(each.description ? { description: each.description } : {}), ...each.schema };

const groupSchema = (settings: Settings): object => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(Object.entries(settings).map(([name, each]) => [name, schemaOf(each)])),
});

/** JSON Schema for Helm. Unknown names are rejected, as Helm would silently ignore them. */
export const valuesSchema = (settings: Settings): object => {
  const { properties, ...rest } = groupSchema(settings) as { properties: object };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart switchyard',
    ...rest,
    // Helm gives it to every chart.
    properties: { ...properties, global: { type: 'object' } },
  };
};

const WIDTH = 110;

function comment(description: string, pad: string): string[] {
  const lines: string[] = [];
  for (const word of description.split(' ').filter(Boolean)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= WIDTH) lines.push(`${pad}# ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

const yamlOf = (name: string, value: unknown, pad: string): string[] =>
  stringify({ [name]: value }, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false })
    .trimEnd()
    .split('\n')
    .map((line) => `${pad}${line}`);

function lines(settings: Settings, pad: string, isBrief: boolean): string[] {
  return Object.entries(settings).flatMap(([name, each]) => {
    const head = isBrief ? [] : comment(each.description, pad);
    if (pad === '' && (isGroup(each) || each.description)) head.unshift('');
    if (!isGroup(each)) return [...head, ...yamlOf(name, each.default, pad)];
    const body = [`${pad}${name}:`, ...lines(each.settings, `${pad}  `, isBrief || each.isBrief === true)];
    return [...head, ...body];
  });
}

/** values.yaml: every setting with its default, and a comment. */
export const valuesYaml = (settings: Settings): string => `${lines(settings, '', false).join('\n')}\n`;
