import { group } from '../command.ts';
import { createReaderCommand } from './reader-create.ts';
import { deleteReaderCommand } from './reader-delete.ts';
import { disableReader, enableReader } from './reader-disable.ts';
import { listReadersCommand } from './reader-list.ts';
import { revokeReaderKeys, rotateReader } from './reader-rotate.ts';
import { showReaderCommand } from './reader-show.ts';
import { updateReaderCommand } from './reader-update.ts';

export const reader = group('reader', 'Manage readers: portals that fetch a feed, each with a key of its own', [
  createReaderCommand,
  listReadersCommand,
  showReaderCommand,
  updateReaderCommand,
  rotateReader,
  revokeReaderKeys,
  disableReader,
  enableReader,
  deleteReaderCommand,
]);
