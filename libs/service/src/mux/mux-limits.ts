/** Most unread bytes in flight of one response. */
export const WINDOW_BYTES = 64 * 1024;
/** Longer bytes are cut, so that none waits long behind another's. */
export const PIECE_BYTES = 32 * 1024;
/** The reader says what it has taken when it is so much. */
export const CREDIT_BYTES = 16 * 1024;

/** Protocol name in HTTP's `Upgrade`. */
export const MUX_PROTOCOL = 'switchyard-road/1';
