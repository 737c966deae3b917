import { Module } from '@nestjs/common';
import { LostWorkController } from './lost-work.controller';
import { LostWorkReader } from './lost-work-reader';

@Module({ controllers: [LostWorkController], providers: [LostWorkReader] })
export class OperatorModule {}
