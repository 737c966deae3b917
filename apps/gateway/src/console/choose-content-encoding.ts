import type { Packing } from './console-files';

/** How a file goes out: packed in a way that the browser takes, brotli rather than gzip, else as it is. */
export function chooseContentEncoding(accepted: string | undefined, offered: readonly Packing[]): Packing | null {
  const taken = (accepted ?? '').split(',').flatMap((part) => {
    const [name = '', ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [name];
  });
  return (['br', 'gzip'] as const).find((packing) => offered.includes(packing) && taken.includes(packing)) ?? null;
}
