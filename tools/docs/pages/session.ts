/** Output of a block, and whether it finished. */
export interface BlockOutput {
  printed: string;
  complaints: string;
  isDone: boolean;
}

/** One running interpreter: what a block leaves behind, the next one finds. */
export interface Session {
  run(code: string): Promise<BlockOutput>;
  close(): void;
}
