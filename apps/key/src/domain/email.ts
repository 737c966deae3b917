/** One spelling per account: surrounding space and case do not make another person. */
export const normalEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();

/** What we call somebody who has not told us a name. */
export const nameFromEmail = (email: string): string => email.split('@')[0] ?? email;
