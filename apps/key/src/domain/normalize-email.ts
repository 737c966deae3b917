/**
 * One spelling per account: surrounding space and case do not make another person. Some capitals with an accent have a
 * composed form as small letters only, so the case comes first.
 */
export const normalEmail = (email: string): string => email.trim().toLowerCase().normalize('NFC');

/** Display name of a person without a name. */
export const nameFromEmail = (email: string): string => email.split('@')[0] ?? email;
