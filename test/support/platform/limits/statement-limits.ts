import { mostArguments } from './sql-functions.ts';
import { violate } from './violation.ts';

/** Limits of one D1 statement: https://developers.cloudflare.com/d1/platform/limits/ */
const MAX_PARAMETERS = 100;
const MAX_SQL_BYTES = 100_000;
const MAX_VALUE_BYTES = 2_000_000;
const MAX_FUNCTION_ARGUMENTS = 32;

/** SQL that has been checked, since a Worker prepares the same few statements again and again. */
const checkedSql = new Set<string>();

/**
 * Checks a statement as D1 does before it runs it.
 *
 * @throws PlatformViolation
 */
export function checkStatement(sql: string, parameters: readonly unknown[]): void {
  if (parameters.length > MAX_PARAMETERS)
    violate(`${parameters.length} bound parameters: ${excerpt(sql)}`);
  for (const parameter of parameters) checkValue(parameter, 'bound to', sql);
  if (checkedSql.has(sql)) return;
  const bytes = byteLength(sql);
  if (bytes > MAX_SQL_BYTES) violate(`SQL of ${bytes} bytes: ${excerpt(sql)}`);
  const most = mostArguments(sql);
  if (most !== null && most.count > MAX_FUNCTION_ARGUMENTS) {
    violate(`${most.name}() with ${most.count} arguments: ${excerpt(sql)}`);
  }
  checkedSql.add(sql);
}

/**
 * Checks a row that a statement returns: its size, and that of each of its values.
 *
 * @throws PlatformViolation
 */
export function checkRow(row: unknown, sql: string): void {
  let total = 0;
  for (const value of Object.values(row as object)) total += checkValue(value, 'returned by', sql);
  if (total > MAX_VALUE_BYTES) violate(`A row of ${total} bytes, returned by ${excerpt(sql)}`);
}

function checkValue(value: unknown, relation: 'bound to' | 'returned by', sql: string): number {
  const bytes = byteLength(value);
  // The excerpt is composed only here: it takes far longer than the check.
  if (bytes > MAX_VALUE_BYTES) violate(`A value of ${bytes} bytes, ${relation} ${excerpt(sql)}`);
  return bytes;
}

function byteLength(value: unknown): number {
  // A string of n UTF-16 units has at most 3 n bytes: most are too short to be counted.
  if (typeof value === 'string')
    return value.length < 1_000 ? value.length : Buffer.byteLength(value);
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  return Array.isArray(value) ? value.length : 8;
}

function excerpt(sql: string): string {
  const line = sql.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
