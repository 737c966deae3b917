import {
  type Class,
  InputFields,
  type JsonSchema,
  LifecycleFields,
  MESSAGE_EVENT_FIELDS,
  PRODUCT_EVENT_FIELDS,
  TOOL_EVENT_FIELDS,
  descriptionOf,
  schemaOf,
} from '@switchyard/contracts';

type Components = Record<string, JsonSchema>;

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Data of frames: the fields, and `event` with its one value. */
function eventSchema(event: string, type: Class): JsonSchema {
  const schema = schemaOf(type, { closed: false });
  const properties = schema['properties'] as Components;
  const required = (schema['required'] ?? []) as string[];
  return {
    description: descriptionOf(type),
    ...schema,
    properties: { event: { type: 'string', const: event, description: 'Name of the event.' }, ...properties },
    required: ['event', ...required],
  };
}

/** The events of one kind, each with a component of its own, and a union of them. */
function union(name: string, description: string, events: Readonly<Record<string, Class>>): Components {
  const names = Object.keys(events).map((event) => ({ event, component: `${pascal(event)}${name}` }));
  return {
    ...Object.fromEntries(
      Object.entries(events).map(([event, type]) => [`${pascal(event)}${name}`, eventSchema(event, type)]),
    ),
    [name]: {
      description,
      oneOf: names.map(({ component }) => reference(component)),
      discriminator: {
        propertyName: 'event',
        mapping: Object.fromEntries(names.map(({ event, component }) => [event, `#/components/schemas/${component}`])),
      },
    },
  };
}

const frame = (method: string, description: string, data: JsonSchema): JsonSchema => ({
  type: 'object',
  description,
  properties: {
    type: { type: 'string', const: 'event', description: 'Always `event`.' },
    method: { type: 'string', const: method, description: 'Kind of the frame.' },
    params: {
      type: 'object',
      description: 'Content of the frame.',
      properties: {
        namespace: { type: 'array', items: { type: 'string' }, description: 'Always empty.' },
        timestamp: { type: 'integer', description: 'Time in milliseconds since 1970.' },
        data: { ...data, description: 'Data of the frame.' },
      },
      required: ['namespace', 'timestamp', 'data'],
    },
    seq: { type: 'integer', minimum: 1, description: 'Number of the frame in its turn, contiguous from 1.' },
  },
  required: ['type', 'method', 'params', 'seq'],
});

const FRAMES = {
  'custom:service': 'ProductFrame',
  messages: 'MessagesFrame',
  tools: 'ToolsFrame',
  lifecycle: 'LifecycleFrame',
  input: 'InputFrame',
};

/** Schemas of the frames of a turn. Clients must expect events that are not listed. */
export const frameSchemas = (): Components => ({
  ...union('ProductEvent', 'An event of the platform.', PRODUCT_EVENT_FIELDS),
  ...union('MessageEvent', 'An event of a message of the model.', MESSAGE_EVENT_FIELDS),
  ...union('ToolEvent', 'An event of a tool call.', TOOL_EVENT_FIELDS),
  LifecycleData: { description: descriptionOf(LifecycleFields), ...schemaOf(LifecycleFields, { closed: false }) },
  InputData: { description: descriptionOf(InputFields), ...schemaOf(InputFields, { closed: false }) },
  ProductFrame: frame('custom:service', 'A frame with an event of the platform.', reference('ProductEvent')),
  MessagesFrame: frame('messages', 'A frame with an event of a message.', reference('MessageEvent')),
  ToolsFrame: frame('tools', 'A frame with an event of a tool call.', reference('ToolEvent')),
  LifecycleFrame: frame('lifecycle', 'A frame with the state of the run.', reference('LifecycleData')),
  InputFrame: frame('input', 'A frame with a question to the user.', reference('InputData')),
  TurnFrame: {
    description: 'A frame of a turn. `seq` is contiguous; keep the order, and reject gaps.',
    oneOf: Object.values(FRAMES).map(reference),
    discriminator: {
      propertyName: 'method',
      mapping: Object.fromEntries(
        Object.entries(FRAMES).map(([method, name]) => [method, `#/components/schemas/${name}`]),
      ),
    },
  },
});
