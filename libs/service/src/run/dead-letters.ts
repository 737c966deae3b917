import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Database, Inbox } from '@switchyard/database';

/** `dead-letters` lists what was given up; `dead-letters requeue [id]` sends one, or all, through the same door again. */
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
    for (const letter of await inbox.listDead({ limit: 200 })) process.stdout.write(`${JSON.stringify(letter)}\n`);
  } finally {
    await database.close();
    await app.close();
  }
  process.exit(0);
}
