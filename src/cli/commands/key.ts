import { group } from '../command.ts';
import { newKey } from './key-new.ts';
import { rotateKey } from './key-rotate.ts';

export const key = group('key', 'Manage the keys that sign access tokens', [newKey, rotateKey]);
