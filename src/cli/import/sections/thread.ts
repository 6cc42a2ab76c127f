import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { KyeroOptions } from '../kyero/reader.ts';
import type { SectionThread } from './records.ts';
import { type ReadSection, readSection } from './section.ts';

/** The data of a thread. Its name tells these threads from others that load this file. */
interface ThreadData {
  readonly reads: 'lindero-import-sections';
  readonly options: KyeroOptions;
}

/** Starts a thread that runs this file, which must be JavaScript. */
export function startThread(options: KyeroOptions): SectionThread {
  const data: ThreadData = { reads: 'lindero-import-sections', options };
  const thread = new Worker(new URL(import.meta.url), { workerData: data });
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
    read: (document) =>
      new Promise((resolve) => {
        if (failed) return resolve(null);
        waiting.push(resolve);
        thread.postMessage(document);
      }),
    end: () => void thread.terminate(),
  };
}

function serve({ options }: ThreadData): void {
  parentPort!.on('message', (document: string) => {
    const section = readOrNull(document, options);
    parentPort!.postMessage(section, section === null ? [] : [section.bytes.buffer]);
  });
}

/** Whatever the error is, the main thread will read the same text, and report it. */
function readOrNull(document: string, options: KyeroOptions): ReadSection | null {
  try {
    return readSection(document, options);
  } catch {
    return null;
  }
}

if (!isMainThread && workerData?.reads === 'lindero-import-sections') serve(workerData);
