import { join } from 'node:path';
import { command, withEnv } from '../command/command.ts';
import { EXIT } from '../command/failure.ts';
import { listRemoteSecrets } from '../settings/secrets.ts';
import { examine } from './examine.ts';

export const doctor = command({
  command: 'doctor',
  describe: 'Check bindings, migrations, keys and data, and report what to do',
  async run(args, context) {
    const findings = await withEnv(context, args, (env) =>
      examine(env, {
        migrations: join(context.directory, 'migrations'),
        target: args,
        secrets: () => listRemoteSecrets(context),
      }),
    );
    const ok = findings.every((finding) => finding.ok);
    return {
      json: { ok, findings },
      text: findings
        .map(({ check, ok, detail, remedy }) =>
          ok ? `ok     ${check}: ${detail}\n` : `WRONG  ${check}: ${detail}\n       ${remedy}\n`,
        )
        .join(''),
      exit: ok ? EXIT.ok : EXIT.warnings,
    };
  },
});
