/** Why the launcher cannot go on, in one sentence for the person at the terminal. */
export class StopSentence extends Error {}
