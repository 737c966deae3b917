import { type Span, isTracing, startInnerSpan } from '@switchyard/kernel';

const MAX_TEXT = 1000;

/** Only inside a trace: polls and sweepers do not start traces. */
export const transactionSpan = (): Span | null =>
  isTracing()
    ? startInnerSpan('transaction', { kind: 'client', attributes: { 'db.system.name': 'postgresql' } })
    : null;

/** The statement's text contains no values. */
export function statementSpan(sql: string): Span | null {
  if (!isTracing()) return null;
  const text = sql.replace(/\s+/g, ' ').trim();
  const operation = (/^\w+/.exec(text)?.[0] ?? 'query').toUpperCase();
  return startInnerSpan(operation, {
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': text.slice(0, MAX_TEXT),
    },
  });
}
