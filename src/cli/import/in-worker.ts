import { setTimeout } from 'node:timers/promises';
import type { ImportReport } from '../../import/report.ts';
import type { AccountArguments } from '../command/account.ts';
import type { CommandResult, Context } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { type Call, withService } from '../command/service.ts';
import { addressIn, withInput } from './input.ts';
import type { Progress } from './progress.ts';
import { importResult } from './report.ts';

/** Milliseconds between two looks at an import: few at first, since most are small. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [100, 2_000];

/** Sends a file to the running service, or the URL of one, waits until it has been imported, and returns the report. */
export function importInWorker(
  context: Context,
  args: AccountArguments & { readonly file?: string | undefined; readonly origin?: string | undefined },
  query: URLSearchParams,
  progress: Progress,
): Promise<CommandResult> {
  return withService(context, args, ['properties:read', 'properties:write'], async (call) => {
    const send = async (body: object) => resultOf(call, (await call('POST', `/v1/imports?${query}`, body)).body.id);
    const address = addressIn(args.file);
    if (address !== null) return send({ url: address.href });
    const limits = { timeout: 0, most: 0 };
    // Only a server can say that a file has not changed.
    return (await withInput(args.file, context, limits, progress, async (input) => send(await input.open())))!;
  });
}

/** Waits for the end of an import, and returns its report. */
export async function resultOf(call: Call, id: number): Promise<CommandResult> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, MAX_PAUSE_MS)) {
    const { body } = await call('GET', `/v1/imports/${id}`);
    if (body.state === 'finished') {
      const { withdrawn_properties: _, ...report } = body.report as ImportReport & { withdrawn_properties: string[] };
      return importResult(report);
    }
    if (body.state === 'unchanged') {
      const text = 'The file has not changed since the last run: nothing was imported.\n';
      return { json: { not_modified: true }, text };
    }
    if (body.state === 'cancelled') throw new Failure('cancelled', `Import ${id} was cancelled.`);
    if (body.error !== null) throw new Failure(body.error.code, body.error.detail);
    await setTimeout(pause);
  }
}
