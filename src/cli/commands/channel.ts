import { group } from '../command.ts';
import { addToChannelCommand, removeFromChannelCommand } from './channel-assign.ts';
import { deleteChannelCommand } from './channel-delete.ts';
import { listChannelsCommand } from './channel-list.ts';
import { showChannelCommand } from './channel-show.ts';

export const channel = group('channel', 'Manage channels: which properties a reader gets', [
  addToChannelCommand,
  removeFromChannelCommand,
  listChannelsCommand,
  showChannelCommand,
  deleteChannelCommand,
]);
