import { useEffect, useRef, useState } from 'react';

type Functions<T> = { [name in keyof T]: (...args: never[]) => unknown };

/** The same functions in every drawing, for parts that are drawn only when what they get has changed; each does what its newest form does. */
export function useStable<T extends Functions<T>>(newest: T): T {
  const leased = useRef(newest);
  useEffect(() => {
    leased.current = newest;
  });
  const [stable] = useState(() => {
    const names = Object.keys(newest) as (keyof T)[];
    const call =
      (name: keyof T) =>
      (...args: never[]) =>
        leased.current[name](...args);
    return Object.fromEntries(names.map((name) => [name, call(name)])) as unknown as T;
  });
  return stable;
}
