import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import Ajv2020 from 'ajv/dist/2020';
import { GatewayModule } from '../gateway.module';
import { controllersOf } from './controllers-of';
import { OpenApiDocument } from './openapi-document';

// Formats are not checked: ids in the recorded frames are short.
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(new OpenApiDocument(controllersOf(GatewayModule)).document, 'openapi');

const faultsOf = (component: string, value: unknown): string | null => {
  const check = ajv.compile({ $ref: `openapi#/components/schemas/${component}` });
  return check(value) ? null : ajv.errorsText(check.errors);
};

describe('the schema of frames', () => {
  const file = path.join(__dirname, '../../../../libs/contracts/src/turn-frames/recorded-frames.txt');
  const frames = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { params: { data: { event?: string } } });

  it('accepts every recorded frame', () => {
    expect(frames.flatMap((frame) => faultsOf('TurnFrame', frame) ?? [])).toEqual([]);
  });

  it('rejects a frame with a field of another type, and an unknown event', () => {
    const [frame] = frames;
    expect(faultsOf('TurnFrame', { ...frame, seq: 'first' })).toContain('oneOf');
    expect(faultsOf('ProductEvent', { event: 'unknown' })).toContain('oneOf');
  });

  it('has every event of the platform', () => {
    const recorded = new Set(frames.map(({ params }) => params.data.event));
    expect(Object.values(PRODUCT_EVENTS).filter((event) => !recorded.has(event))).toEqual([]);
  });
});

describe('the schema of steps', () => {
  it.each([
    { type: 'wait', with: { seconds: 3 } },
    { type: 'wait', with: { seconds: '{{ execution.inputs.seconds }}' } },
    { type: 'http', with: { url: 'https://shop.example', method: 'POST', body: { a: 1 } } },
    { type: 'emit', with: { appIdentifier: 'shop', event: 'order.paid', payload: { order: 'o-17' } } },
    { type: 'dataset', with: { datasetId: '{{ steps.first.output.id }}', operation: 'query', filter: {} } },
    { type: 'transform', with: { any: ['thing'] } },
  ])('accepts $type with $with', (step) => {
    expect(faultsOf('TaskStep', { id: 'one', ...step })).toBeNull();
  });

  it.each([
    { type: 'wait', with: { seconds: 'soon' } },
    { type: 'http', with: { method: 'POST' } },
    { type: 'unknown', with: {} },
  ])('rejects $type with $with', (step) => {
    expect(faultsOf('TaskStep', { id: 'one', ...step })).not.toBeNull();
  });
});

describe('the schema of filters', () => {
  it.each([
    {},
    { state: 'new', price: { gte: 10, lt: '20' }, tags: { contains: 'x' } },
    { or: [{ state: null }, { not: { state: ['a', 'b'] } }] },
  ])('accepts %j', (filter) => {
    expect(faultsOf('Filter', filter)).toBeNull();
  });

  it.each([{ price: { above: 10 } }, { or: 'all' }, { not: [{}] }])('rejects %j', (filter) => {
    expect(faultsOf('Filter', filter)).not.toBeNull();
  });
});
