import { Class, JsonSchema, schemaOf } from '@switchyard/contracts';
import { ERROR_STATUS } from '@switchyard/kernel';

const ERROR: JsonSchema = {
  type: 'object',
  description: 'Every refusal and failure.',
  properties: {
    success: { const: false },
    message: { type: 'string', description: 'Says what to do next.' },
    code: { type: 'string', enum: Object.keys(ERROR_STATUS), description: 'Stable; programs decide by it.' },
    details: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'message'],
      },
    },
  },
  required: ['success', 'message', 'code'],
};

const RELAY_ERROR: JsonSchema = {
  description: "Every refusal and failure of the relay: the flat body, and OpenAI's beside it.",
  allOf: [
    { $ref: '#/components/schemas/Error' },
    {
      type: 'object',
      properties: {
        error: {
          type: 'object',
          properties: {
            message: { type: 'string' },
            type: { type: 'string' },
            param: { type: ['string', 'null'] },
            code: { type: 'string', description: "The upstream's own, where it gave one." },
          },
          required: ['message', 'type', 'param', 'code'],
        },
      },
      required: ['error'],
    },
  ],
};

const PAGE: JsonSchema = {
  type: 'object',
  properties: {
    limit: { type: 'integer' },
    nextCursor: { type: ['string', 'null'], description: 'Null on the last page.' },
  },
  required: ['limit', 'nextCursor'],
};

/** The components of the document: each class once, under its own name. */
export class Schemas {
  readonly components: Record<string, JsonSchema> = {
    Error: ERROR,
    RelayError: RELAY_ERROR,
    Page: PAGE,
  };
  private readonly classes = new Map<string, Class>();

  /** Requests are closed, answers are open: a client must expect new fields. */
  ref(type: Class, closed: boolean): JsonSchema {
    const name = this.nameOf(type);
    const reference = { $ref: `#/components/schemas/${name}` };
    if (this.classes.has(name)) return reference;
    this.classes.set(name, type);
    this.components[name] = {};
    this.components[name] = schemaOf(type, { closed, renderClass: (inner) => this.ref(inner, closed) });
    return reference;
  }

  private nameOf(type: Class): string {
    const taken = this.classes.get(type.name);
    return taken === undefined || taken === type ? type.name : `${type.name}2`;
  }

  /** The success envelope around a reply. A page's items become the list itself. */
  success(type: Class | undefined): JsonSchema {
    const envelope = (data: JsonSchema, page: boolean): JsonSchema => ({
      type: 'object',
      properties: {
        success: { const: true },
        message: { type: 'string' },
        data,
        ...(page ? { page: { $ref: '#/components/schemas/Page' } } : {}),
      },
      required: ['success', 'message', 'data', ...(page ? ['page'] : [])],
    });
    if (!type) return envelope({}, false);
    const isPage = type.name.endsWith('Page') || type.name.endsWith('List');
    if (isPage) {
      const schema = schemaOf(type, { closed: false, renderClass: (inner) => this.ref(inner, false) });
      const items = (schema['properties'] as Record<string, JsonSchema>)['items'];
      if (items) return envelope(items, type.name.endsWith('Page'));
    }
    return envelope(this.ref(type, false), false);
  }
}
