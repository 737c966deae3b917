import { PLATFORM_EVENTS, type PlatformEventAudience, platformEventDescription } from '@switchyard/contracts';

const SEEN_BY: Record<PlatformEventAudience, string> = {
  MEMBERS: 'every member',
  PERSON: 'the user in `userId`, ADMIN',
  ADMINS: 'ADMIN',
};

const HEAD = `# Events of the platform

<!-- Written by \`npm run docs\` from libs/contracts/src/event-bus/platform-events.ts. -->

Events of the application \`switchyard\`, which every Space has. [Subscribe to them](../guides/events.md#events-of-the-platform) as to other events. \`GET /api/events/registered?appIdentifier=switchyard\` has the schema of each payload.

## Payload

| Field | Value |
| --- | --- |
| \`kind\` | the name of the event before the dot |
| \`id\` | id of the record, also under its usual name, such as \`executionId\` |
| \`name\` | name of the task, agent, dataset, application, key or endpoint; of a turn, a question or a job: the agent's name when the turn started, or when the job was submitted |
| \`status\`, \`previousStatus\` | status of the record, and the one before |
| \`agentId\`, \`taskId\`, \`datasetId\`, \`sessionId\`, \`turnId\` | the records to which it belongs |
| \`userId\` | the owner of the record |
| \`actor\` | who did it: \`{type, id}\`; \`type\` is \`user\`, \`key\`, \`account\`, \`operator\` or \`platform\` |
| \`error\` | \`{code}\` of a failure |
| \`at\` | when it happened |

A field without a value is null, except \`previousStatus\`, which is omitted. A payload never has prompts, texts, titles, inputs, results or secrets. The names of members and secrets are null, and so are those of turns and jobs that version 0.1.0 started. Events of changes have an \`action\` too: \`created\`, \`updated\` or \`deleted\`.

## List
`;

/** docs/reference/platform-events.md, before it is formatted. */
export function platformEventsPage(): string {
  const rows = Object.entries(PLATFORM_EVENTS).map(
    ([name, event]) => `| \`${name}\` | ${platformEventDescription(event)} | ${SEEN_BY[event.audience]} |`,
  );
  return [HEAD, '| Event | When | Who can read the envelope |', '| --- | --- | --- |', ...rows, ''].join('\n');
}
