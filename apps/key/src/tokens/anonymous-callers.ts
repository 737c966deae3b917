/**
 * Those who come without a credential, or with one that is yet to be looked up: they share connections among
 * themselves.
 */
export const ANONYMOUS_CALLERS = 'visitors';
