import { escapeXml } from '../lib/bytes/xml.ts';
import { PROBLEMS, type ProblemCode, typeOf } from '../problem.ts';
import { REMEDIES } from './remedies.ts';

interface Operation {
  readonly summary?: string;
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
}

/** What pages need of an OpenAPI document. */
export interface Described {
  readonly paths?: Readonly<Record<string, object>>;
  readonly webhooks?: Readonly<Record<string, object>>;
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

function operationsOf(paths: Described['paths'] = {}) {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = (item as Readonly<Partial<Record<typeof method, Operation>>>)[method];
      return operation ? [{ name: `${method.toUpperCase()} ${path}`, operation }] : [];
    }),
  );
}

/** The page `/docs` without its script: what there is, as a list. @param template with a place for it */
export function docsPage(template: string, document: Described): string {
  const listed = (paths: Described['paths']) =>
    operationsOf(paths)
      .map(({ name, operation }) => `<li>${code(name)} ${text(operation.summary ?? '')}</li>`)
      .join('\n');
  const problems = Object.entries(PROBLEMS).map(
    ([name, [status, title]]) =>
      `<li><a href="${typeOf(name as ProblemCode)}">${code(name)}</a> ${status}, ${text(title)}: ` +
      `${inline(REMEDIES[name as ProblemCode])}</li>`,
  );
  return template.replace(
    '<!-- list -->',
    () =>
      `<h2>Operations</h2>\n<ul>\n${listed(document.paths)}\n</ul>\n` +
      `<h2>Calls of webhooks</h2>\n<ul>\n${listed(document.webhooks)}\n</ul>\n` +
      `<h2>Problems</h2>\n<ul>\n${problems.join('\n')}\n</ul>`,
  );
}

/** The problems as a table in Markdown, each with what to do. */
export function problemTable(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([name, [status, title]]) =>
      `| ${status} | [\`${name}\`](${typeOf(name as ProblemCode)}) | ${title} | ${REMEDIES[name as ProblemCode]} |`,
  );
  return `## Errors\n\n| status | \`code\` | meaning | what to do |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

/** The page that the `type` of a problem leads to: what it means, what to do, and when which operation has it. */
export function problemPage(name: ProblemCode, document: Described): string {
  const [status, title] = PROBLEMS[name];
  const reasons = operationsOf(document.paths).flatMap(
    ({ name: operation, operation: { responses } }) => {
      const { description = '' } = responses[status] ?? {};
      const [, reason] = new RegExp(`^(?:- )?\`${name}\`: (.*)$`, 'm').exec(description) ?? [];
      return reason === undefined ? [] : [{ reason, operation }];
    },
  );
  const when = [...Map.groupBy(reasons, ({ reason }) => reason)].map(([reason, all]) => {
    const where = all.map(({ operation }) => `<li>${code(operation)}</li>`).join('');
    return `<dt>${inline(reason)}</dt>\n<dd><ul>${where}</ul></dd>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text(title)}: ${name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<main>
<h1>${text(title)}</h1>
<p>${inline(REMEDIES[name])}</p>
<p>Status ${status}, ${code(name)}. <a href="/docs">All operations and problems</a></p>
<dl>
${when.join('\n')}
</dl>
</main>
</body>
</html>
`;
}

/** Text with its code, which stands between backticks. */
function inline(markdown: string): string {
  return markdown
    .split('`')
    .map((part, index) => (index % 2 === 1 ? code(part) : text(part)))
    .join('');
}

function code(content: string): string {
  return `<code>${text(content)}</code>`;
}

const text = escapeXml;
