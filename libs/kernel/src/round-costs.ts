/** Nine decimal places keep sums of cents exact and hide binary noise. */
export const roundedCost = (cost: number): number => Math.round(cost * 1e9) / 1e9;

export const addCosts = (a: number, b: number): number => roundedCost(a + b);
