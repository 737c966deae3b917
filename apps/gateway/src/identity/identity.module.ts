import { Module } from '@nestjs/common';
import { AuthController } from './auth.controller';
import { JwksController } from './jwks.controller';
import { MembersController } from './members.controller';
import { SpacesController } from './spaces.controller';

@Module({ controllers: [AuthController, JwksController, MembersController, SpacesController] })
export class IdentityModule {}
