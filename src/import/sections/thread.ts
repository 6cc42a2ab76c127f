import { isMainThread, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import type { KyeroOptions } from '../kyero/reader.ts';
import type { SectionThread } from './records.ts';
import { type ReadSection, readSection } from './section.ts';

/** The data of a thread: it tells these threads from others that load this file. */
const DATA = 'lindero-import-sections';

/** Starts a thread that runs this file, which must be JavaScript. */
export function startThread(): SectionThread {
  const thread = new Worker(import.meta.filename, { workerData: DATA });
  const waiting: ((section: ReadSection | null) => void)[] = [];
  let failed = false;
  const fail = () => {
    failed = true;
    for (const done of waiting.splice(0)) done(null);
  };
  thread.on('message', (section: ReadSection | null) => waiting.shift()?.(section));
  thread.on('error', fail);
  thread.on('exit', fail);
  thread.unref();
  return {
    begin: (options) => thread.postMessage(options),
    read: (document) =>
      new Promise((resolve) => {
        if (failed) return resolve(null);
        waiting.push(resolve);
        thread.postMessage(document);
      }),
    end: () => void thread.terminate(),
  };
}

function serve(port: MessagePort): void {
  let options: KyeroOptions | undefined;
  port.on('message', (message: KyeroOptions | Uint8Array) => {
    if (!(message instanceof Uint8Array)) {
      options = message;
      return;
    }
    const section = readOrNull(message, options!);
    port.postMessage(section, section === null ? [] : [section.bytes.buffer]);
  });
}

/** Whatever the error is, the main thread will read the same text, and report it. */
function readOrNull(document: Uint8Array, options: KyeroOptions): ReadSection | null {
  try {
    return readSection(document, options);
  } catch {
    return null;
  }
}

if (!isMainThread && workerData === DATA) serve(parentPort!);
