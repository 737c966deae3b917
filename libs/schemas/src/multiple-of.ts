/** Reliable digits of a double; digits after these are rounding noise, as in 0.30000000000000004. */
const SURE_DIGITS = 15;

interface Decimal {
  digits: bigint;
  exponent: number;
}

/** The number's decimal notation, not its binary fraction. */
function decimalOf(value: number): Decimal {
  const text = Number.isInteger(value) ? value.toExponential() : value.toExponential(SURE_DIGITS - 1);
  const [mantissa = '0', exponent = '0'] = text.split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Decimal arithmetic: with binary fractions, 19.99 would not be a multiple of 0.01. */
export function isMultipleOf(value: number, step: number): boolean {
  const [a, b] = [decimalOf(value), decimalOf(step)];
  const shift = a.exponent - b.exponent;
  return shift >= 0
    ? (a.digits * 10n ** BigInt(shift)) % b.digits === 0n
    : a.digits % (b.digits * 10n ** BigInt(-shift)) === 0n;
}
