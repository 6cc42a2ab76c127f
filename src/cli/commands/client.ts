import { group } from '../command.ts';
import { createClientCommand } from './client-create.ts';
import { disableClient, enableClient } from './client-disable.ts';
import { listClientsCommand } from './client-list.ts';
import { rotateClient } from './client-rotate.ts';

export const client = group('client', 'Manage OAuth clients: programs that update units', [
  createClientCommand,
  rotateClient,
  listClientsCommand,
  disableClient,
  enableClient,
]);
