import { group } from '../command/command.ts';
import { required } from '../command/options.ts';
import { count } from '../command/print.ts';
import { listing, request } from '../command/request.ts';

const NAME = '/v1/vocabulary/{kind}/{name}';

export const name = group('name', 'Names of types and features that only one account has', [
  listing({
    describe: 'List them, with how many properties have each',
    examples: { '--account COSTA': 'List those of COSTA, typing errors among them' },
    path: '/v1/vocabulary/names',
    columns: ['kind', 'code', 'properties'],
  }),
  request({
    command: 'merge <kind> <name>',
    describe: 'Give its properties another name, and delete it; kind is types or features',
    examples: {
      'types Apartmento --into Apartment --account COSTA': 'Correct a typing error everywhere',
    },
    options: { into: required('The other name, or its code') },
    method: 'POST',
    path: `${NAME}/merge`,
    print: ({ into, properties }, { name }) => ({
      json: { name, into, properties },
      text: `Merged ${name} into ${into}: ${count(properties, 'property', 'properties')}.\n`,
    }),
  }),
  request({
    command: 'delete <kind> <name>',
    describe: 'Delete one that nothing uses; kind is types or features',
    examples: { 'types Apartmento --account COSTA': 'Delete the type Apartmento' },
    method: 'DELETE',
    path: NAME,
    print: (_, { name }) => ({ json: { name, deleted: true } }),
  }),
]);
