const FORM = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
export const DECIMAL_DIGITS = 1000;

/** Plain decimal notation, as `12.50`: no exponent, no plus, no leading zeros. */
export const isDecimal = (text: string): boolean => text.length <= DECIMAL_DIGITS && FORM.test(text);

/** Orders two decimals by value, exactly, at any size. */
export function compareDecimals(left: string, right: string): number {
  const [whole = '', part = ''] = left.split('.');
  const [rightWhole = '', rightPart = ''] = right.split('.');
  const scale = Math.max(part.length, rightPart.length);
  const a = BigInt(whole + part.padEnd(scale, '0'));
  const b = BigInt(rightWhole + rightPart.padEnd(scale, '0'));
  return a < b ? -1 : a > b ? 1 : 0;
}
