import { join } from 'node:path';
import { command, withEnv } from '../command.ts';
import { examine } from '../doctor.ts';
import { EXIT } from '../failure.ts';
import { remoteSecrets } from '../signing-keys.ts';

export const doctor = command({
  command: 'doctor',
  describe: 'Examine bindings, migrations, keys and data, and say what to do',
  examples: [
    ['doctor', 'Examine what wrangler dev works on'],
    ['doctor --remote', 'Examine what is deployed'],
  ],
  async run(args, context) {
    const findings = await withEnv(context, args, (env) =>
      examine(env, {
        migrations: join(context.directory, 'migrations'),
        where: args,
        secrets: () => remoteSecrets(context),
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
      exit: ok ? EXIT.done : EXIT.attention,
    };
  },
});
