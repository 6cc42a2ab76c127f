import { accountCommand, group } from '../command/command.ts';
import { NONE, text } from '../command/options.ts';
import { fields } from '../command/print.ts';
import { pathOf, request, statedIn } from '../command/request.ts';
import type { Body } from '../service/client.ts';

const FORMAT = '/v1/formats/{format}';

const SETTINGS = {
  'customer-code': {
    ...text(`The code that Idealista gives the agency, or ${NONE}`),
    as: 'CustomerCode',
  },
  country: { ...text(`Spain, Italy or Portugal, or ${NONE}`), as: 'CustomerCountry' },
  'contact-email': { ...text(`The address of the agency, or ${NONE}`), as: 'ContactEmail' },
  'contact-phone': {
    ...text(`The telephone number of the agency, digits only, or ${NONE}`),
    as: 'ContactPhone',
  },
} as const;

function shown({ format, settings }: Body) {
  const isEmpty = Object.keys(settings).length === 0;
  return { json: { format, settings }, text: isEmpty ? 'Nothing is set.\n' : fields(settings) };
}

export const format = group('format', 'Manage the settings that all readers of a format share', [
  accountCommand({
    command: 'set <format>',
    describe: 'Set parameters for all readers of a format, unless their presets say otherwise',
    examples: {
      'idealista --account COSTA --customer-code ilc…':
        "Set the customer code for all readers of COSTA's idealista.json",
    },
    options: SETTINGS,
    async run(args, { client }) {
      const path = pathOf(FORMAT, args);
      const { settings } = await client.get(path);
      const changed = Object.entries({ ...settings, ...statedIn(args, SETTINGS) });
      return shown(
        await client.put(path, Object.fromEntries(changed.filter(([, value]) => value !== NONE))),
      );
    },
  }),
  request({
    command: 'show <format>',
    describe: 'Show the parameters that are set for all readers of a format',
    examples: { 'idealista --account COSTA': 'Show what COSTA has set for them' },
    method: 'GET',
    path: FORMAT,
    print: shown,
  }),
]);
