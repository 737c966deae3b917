/** One line per step, with the time since the start. */
export class Progress {
  private readonly startedAt = Date.now();

  constructor(private readonly write: (line: string) => void = (line) => console.log(line)) {}

  step(text: string): void {
    this.write(`${this.seconds().padStart(6)} s  ${text}`);
  }

  note(text: string): void {
    this.write(`          ${text}`);
  }

  seconds(): string {
    return ((Date.now() - this.startedAt) / 1000).toFixed(1);
  }
}
