import { group } from '../command.ts';
import { deleteSnapshots } from './snapshot-delete.ts';
import { listSnapshotsCommand } from './snapshot-list.ts';

export const snapshot = group('snapshot', 'Cached parts of feeds; missing ones are rebuilt on request', [
  listSnapshotsCommand,
  deleteSnapshots,
]);
