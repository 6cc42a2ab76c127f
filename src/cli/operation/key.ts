import { group } from '../command/command.ts';
import { listing } from '../command/request.ts';

export const key = group(
  'key',
  'See the keys that sign access tokens; npm run deploy -- --rotate-keys replaces them',
  [
    listing({
      describe: 'List the keys: one signs, the others still verify tokens',
      examples: { '--env production': 'List the keys that sign and verify access tokens' },
      path: '/v1/operator/keys',
      columns: ['kid'],
      more: { USE: ({ signs }) => (signs ? 'signs' : 'verifies') },
    }),
  ],
);
