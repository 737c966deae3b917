import { StopSentence } from '../launcher/stop-sentence';

export const CHANGELOG = 'CHANGELOG.md';
const unreleased = (version: string): string => `## ${version} (not released yet)`;

/** With the day of the release in the heading of the version. */
export function datedChangelog(text: string, version: string, day: string): string {
  const heading = unreleased(version);
  if (!text.includes(`${heading}\n`)) throw new StopSentence(`${CHANGELOG} has no heading "${heading}".`);
  return text.replace(heading, `## ${version} - ${day}`);
}

/** With a section for the version after it. */
export function begunChangelog(text: string, version: string, next: string): string {
  const at = text.indexOf(`## ${version} - `);
  if (at < 0) throw new StopSentence(`${CHANGELOG} has no heading of ${version} with a day.`);
  const section = `${unreleased(next)}\n\nUpgrade from ${version}.\n\n`;
  return text.slice(0, at) + section + text.slice(at);
}
