/**
 * Checks a rule against its property at compile time: type, optional and nullable must agree. Otherwise the decorator
 * requires one more argument, so the property does not compile.
 */
export type FieldDecorator<T, O> = <C extends object, K extends keyof C & string>(
  target: C,
  property: K,
  ...problem: ProblemOf<C, K, T, O>
) => void;

type ProblemOf<C, K extends keyof C, T, O> = unknown extends C[K]
  ? []
  : IsMissable<C, K> extends IsSet<O, 'optional'>
    ? IsNullable<C[K]> extends LetsNullPass<T, O>
      ? [T] extends [C[K]]
        ? []
        : [problem: 'what the rule lets pass is not of the type of the property']
      : [problem: 'the rule and the property do not agree on null']
    : [problem: 'the rule and the property do not agree on whether it may be missing'];

/** The rule for any JSON also allows null. */
type LetsNullPass<T, O> = IsSet<O, 'nullable'> extends true ? true : 0 extends 1 & T ? boolean : IsNullable<T>;

type IsSet<O, Name extends string> = O extends Record<Name, true> ? true : false;
type IsMissable<C, K extends keyof C> = object extends Pick<C, K> ? true : false;
type IsNullable<T> = null extends T ? true : false;
