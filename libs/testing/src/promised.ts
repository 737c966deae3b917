/** A time that the product promises, as a test can hold it whose machine has other things to do as well. */
export const promised = (ms: number): number => 2 * ms;
