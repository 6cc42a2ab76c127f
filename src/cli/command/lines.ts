/** How the program is called; `-s` suppresses npm's own output. */
export const PROGRAM = 'npm run -s lindero --';

/** The command line that deploys this environment, or another. */
export function deployLine(options = '', environment = process.env.CLOUDFLARE_ENV ?? ''): string {
  const given = [options, environment === '' ? '' : `--env ${environment}`]
    .filter((one) => one !== '')
    .join(' ');
  return `npm run deploy${given === '' ? '' : ` -- ${given}`}`;
}
