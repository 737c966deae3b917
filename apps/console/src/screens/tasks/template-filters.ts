/** The filters of templates, as the task service has them: a test compares the two. */
export const TEMPLATE_FILTERS: readonly string[] = [
  ...['upper', 'lower', 'trim', 'replace', 'split', 'join', 'slice', 'urlencode', 'base64', 'string'],
  ...['number', 'round', 'floor', 'ceil', 'abs', 'plus', 'minus', 'times'],
  ...['default', 'json', 'parse', 'length', 'first', 'last', 'keys', 'values', 'date', 'boolean'],
  ...['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'exists', 'not'],
];
