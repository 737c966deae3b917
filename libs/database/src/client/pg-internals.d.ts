/** As pg itself turns values into what the wire carries. */
declare module 'pg/lib/utils' {
  export function prepareValue(value: unknown): unknown;
}
