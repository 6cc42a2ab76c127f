/** SQLite's built-in functions that take any number of arguments. */
const VARIADIC = new Set([
  ...['char', 'coalesce', 'concat', 'concat_ws', 'format', 'iif', 'if', 'max', 'min', 'printf'],
  ...[
    'json_array',
    'json_object',
    'json_insert',
    'json_replace',
    'json_set',
    'json_remove',
    'json_extract',
  ],
  ...[
    'jsonb_array',
    'jsonb_object',
    'jsonb_insert',
    'jsonb_replace',
    'jsonb_set',
    'jsonb_remove',
    'jsonb_extract',
  ],
]);

/** Strings, quoted names and comments, in which parentheses and commas do not count. */
const OPAQUE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** The call with the most arguments of a function that takes any number of them; `null` if there is none. */
export function mostArguments(
  sql: string,
): { readonly name: string; readonly count: number } | null {
  const open: { name: string; commas: number; isEmpty: boolean }[] = [];
  let most: { name: string; count: number } | null = null;
  for (const [token] of sql.replace(OPAQUE, '?').matchAll(/[A-Za-z_]\w*\s*\(|[(),]|[^\s(),]/g)) {
    const inner = open.at(-1);
    if (token === ',') {
      if (inner !== undefined) inner.commas++;
    } else if (token === ')') {
      const call = open.pop();
      if (call === undefined || !VARIADIC.has(call.name)) continue;
      const count = call.isEmpty ? 0 : call.commas + 1;
      if (most === null || count > most.count) most = { name: call.name, count };
    } else {
      if (inner !== undefined) inner.isEmpty = false;
      if (token.endsWith('(')) {
        open.push({ name: token.slice(0, -1).trim().toLowerCase(), commas: 0, isEmpty: true });
      }
    }
  }
  return most;
}
