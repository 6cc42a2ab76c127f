import { readdirSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

const FOLDER = '.github/workflows';
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

test.each(readdirSync(FOLDER))(
  '%s: actions pinned by commit, permissions, and scripts that exist',
  (file) => {
    const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
    const used = [...text.matchAll(/\buses: (?!\.\/)(.*)$/gm)].map(([, action]) => action!);
    for (const action of used)
      expect(action).toMatch(/^[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    expect(text).toMatch(/^permissions: \{ contents: read \}$/m);
    expect(text).not.toMatch(/\$\{\{ *(github\.event\.(issue|pull_request)|github\.head_ref)/);
    const [, matrix = ''] = /script: \[(.*)\]/.exec(text) ?? [];
    const named = [...text.matchAll(/npm run ([a-z:]+)/g)].map(([, script]) => script!);
    for (const script of [
      ...named,
      ...matrix.split(', ').map((name) => name.replaceAll("'", '')),
    ]) {
      if (script !== '') expect(scripts).toHaveProperty([script]);
    }
  },
);

// GitHub's operators `&&`, `||` and `!=` have the same results for texts as those of JavaScript.
test.each([
  ['staging', 'staging'],
  ['production', ''],
])('deploying %s: wrangler.toml is read with the environment "%s"', (environment, expected) => {
  const text = readFileSync(`${FOLDER}/deploy-to.yml`, 'utf8');
  const [, expression = ''] = /CLOUDFLARE_ENV: \$\{\{(.*)\}\}/.exec(text) ?? [];
  expect(runInNewContext(expression, { inputs: { environment } })).toBe(expected);
});
