import { readSetting, writeFormatSettings } from '../../db/accounts/accounts.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import { sentences } from '../../feed/formats/parameters.ts';
import { parsePreset } from '../../feed/request/preset.ts';
import { accountCommand, commandOn, group } from '../command/command.ts';
import { usageFailure } from '../command/failure.ts';
import { NONE, text } from '../command/options.ts';
import { fields } from '../command/print.ts';

/** The formats that accounts can set parameters for. */
const CONFIGURABLE = FORMATS.filter(({ accountParameters }) => accountParameters !== undefined).map(({ name }) => name);

/** The options of `format set`, each with its parameter and its description. */
const SETTINGS = {
  'customer-code': ['CustomerCode', 'The code that Idealista gives the agency'],
  country: ['CustomerCountry', 'Spain, Italy or Portugal'],
  'contact-email': ['ContactEmail', 'The address of the agency'],
  'contact-phone': ['ContactPhone', 'The telephone number of the agency, digits only'],
} as const;

function checkFormat(name: string): void {
  if (CONFIGURABLE.includes(name)) return;
  throw usageFailure(`The format "${name}" has no settings. Formats with settings: ${CONFIGURABLE.join(', ')}.`);
}

function shown(account: string, format: string, query: string) {
  const settings = Object.fromEntries(new URLSearchParams(query));
  return { json: { account, format, settings }, text: query === '' ? 'Nothing is set.\n' : fields(settings) };
}

export const format = group('format', 'Manage the settings that all readers of a format share', [
  accountCommand({
    command: 'set <format>',
    describe: 'Set parameters for all readers of a format, unless their presets say otherwise',
    options: Object.fromEntries(
      Object.entries(SETTINGS).map(([option, [, describe]]) => [option, text(`${describe}, or ${NONE}`)]),
    ),
    async run({ format: name, ...args }, { db, accountId, code }) {
      checkFormat(name);
      const query = new URLSearchParams((await readSetting(db, accountId, 'formatSettings'))[name]);
      for (const [option, [parameter]] of Object.entries(SETTINGS)) {
        const value = args[option];
        if (value === NONE) query.delete(parameter);
        else if (value !== undefined) query.set(parameter, String(value));
      }
      const parsed = parsePreset(query.toString());
      if ('errors' in parsed) throw usageFailure(sentences(parsed.errors));
      await writeFormatSettings(db, accountId, name, parsed.preset);
      return shown(code, name, parsed.preset);
    },
  }),
  commandOn('show', 'format', 'Show the parameters that are set for all readers of a format', async (scope, name) => {
    checkFormat(name);
    const settings = await readSetting(scope.db, scope.accountId, 'formatSettings');
    return shown(scope.code, name, settings[name] ?? '');
  }),
]);
