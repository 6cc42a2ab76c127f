import { accountCommand, group } from '../command/command.ts';
import { NONE, text } from '../command/options.ts';
import { fields } from '../command/print.ts';

/** The options of `format set`, each with its parameter and its description. */
const SETTINGS = {
  'customer-code': ['CustomerCode', 'The code that Idealista gives the agency'],
  country: ['CustomerCountry', 'Spain, Italy or Portugal'],
  'contact-email': ['ContactEmail', 'The address of the agency'],
  'contact-phone': ['ContactPhone', 'The telephone number of the agency, digits only'],
} as const;

const at = (format: string) => `/v1/formats/${encodeURIComponent(format)}`;

function shown(
  account: string,
  { format, settings }: { readonly format: string; readonly settings: object },
) {
  const isEmpty = Object.keys(settings).length === 0;
  return {
    json: { account, format, settings },
    text: isEmpty ? 'Nothing is set.\n' : fields(settings),
  };
}

export const format = group('format', 'Manage the settings that all readers of a format share', [
  accountCommand({
    command: 'set <format>',
    describe: 'Set parameters for all readers of a format, unless their presets say otherwise',
    options: Object.fromEntries(
      Object.entries(SETTINGS).map(([option, [, describe]]) => [
        option,
        text(`${describe}, or ${NONE}`),
      ]),
    ),
    async run({ format, ...args }, { client, account }) {
      const { settings } = await client.get(at(format));
      const given = Object.entries(SETTINGS).map(
        ([option, [parameter]]) => [parameter, args[option]] as const,
      );
      const changed = given.reduce(
        (all, [parameter, value]) => {
          if (value === undefined) return all;
          const { [parameter]: _, ...others } = all;
          return value === NONE ? others : { ...others, [parameter]: String(value) };
        },
        settings as Record<string, string>,
      );
      return shown(account, await client.put(at(format), changed));
    },
  }),
  accountCommand({
    command: 'show <format>',
    describe: 'Show the parameters that are set for all readers of a format',
    run: async ({ format }, { client, account }) => shown(account, await client.get(at(format))),
  }),
]);
