import { group } from '../command.ts';
import { dropSnapshots } from './snapshot-drop.ts';
import { listSnapshotsCommand } from './snapshot-list.ts';

export const snapshot = group('snapshot', 'What is kept of feeds; it is made anew where it is missing', [
  listSnapshotsCommand,
  dropSnapshots,
]);
