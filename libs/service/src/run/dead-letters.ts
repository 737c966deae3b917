import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Database, Inbox } from '@switchyard/database';

/** `dead-letters` lists failed messages; `requeue [id]` handles one, or all, again; `discard <id>` deletes one. */
export async function runDeadLetters(module: Type, args: readonly string[]): Promise<void> {
  const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  const database = app.get(Database, { strict: false });
  const inbox = app.get(Inbox, { strict: false });
  await database.connect();
  try {
    if (args[0] === 'requeue') {
      process.stdout.write(`${await inbox.requeueDead(args[1] ?? null)} sent back\n`);
      return;
    }
    if (args[0] === 'discard') {
      if (args[1] === undefined) throw new Error('dead-letters discard needs the id of a message');
      const discarded = await inbox.discardDead(args[1]);
      process.stdout.write(`${discarded.length} discarded\n`);
      return;
    }
    for (const letter of await inbox.listDead({ limit: 200 })) process.stdout.write(`${JSON.stringify(letter)}\n`);
  } finally {
    await database.close();
    await app.close();
  }
  process.exit(0);
}
