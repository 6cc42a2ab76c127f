import { createHash, randomUUID } from 'node:crypto';
import { startDatabases } from '../processes/databases.ts';

/** A deployed database with D1's query and import endpoints, as wrangler uses them (`executeRemotely`). */
export interface RemoteDatabase {
  readonly db: D1Database;
  /** Runs statements separated by semicolons, without any understanding of triggers. */
  query(sql: string, params?: readonly unknown[]): Promise<object[]>;
  /** Answers a request to the import endpoint. */
  import(request: ImportRequest, fail: Fail): Promise<object>;
}

/** Several of them, with what they share. */
export interface RemoteDatabases {
  readonly all: readonly RemoteDatabase[];
  /** Receives an uploaded file and returns its entity tag. */
  upload(content: string): string;
  stop(): Promise<void>;
}

/** Throws if a test has arranged that this step fails. */
type Fail = (step: ImportStep) => void;

/** `import statement` fails inside the transaction; after `import result` it has been committed. */
export type ImportStep =
  | 'import init'
  | 'import ingest'
  | 'import statement'
  | 'import result'
  | 'import poll';

type ImportRequest =
  | { readonly action: 'init'; readonly etag: string }
  | { readonly action: 'ingest'; readonly etag: string; readonly filename: string }
  | { readonly action: 'poll'; readonly current_bookmark: string };

const META = { duration: 1, rows_read: 1, rows_written: 1, size_after: 4096 };

/** @param origin where uploads are sent to */
export async function startRemoteDatabases(
  count: number,
  origin: () => string,
): Promise<RemoteDatabases> {
  const { databases, stop } = await startDatabases(count);
  const uploads = new Map<string, string>();
  return {
    all: databases.map((db) => remoteDatabase(db, uploads, origin)),
    upload(content) {
      const etag = createHash('md5').update(content, 'latin1').digest('hex');
      uploads.set(etag, Buffer.from(content, 'latin1').toString('utf8'));
      return etag;
    },
    stop,
  };
}

function remoteDatabase(
  db: D1Database,
  uploads: ReadonlyMap<string, string>,
  origin: () => string,
): RemoteDatabase {
  const imported = new Map<string, object>();
  /** The import under way, until a poll reports its outcome. */
  let outcome: (() => object) | undefined;

  async function run(etag: string, fail: Fail): Promise<void> {
    const report = (): object => ({
      success: true,
      type: 'import',
      status: 'complete',
      messages: [],
      result: { num_queries: 1, final_bookmark: 'bookmark', meta: META },
    });
    try {
      fail('import statement');
      // As in production, a file is one transaction.
      await db.batch([db.prepare(uploads.get(etag)!)]);
      imported.set(etag, report());
      outcome = report;
    } catch (error) {
      const message = (error as Error).message;
      outcome = () => ({
        success: true,
        type: 'import',
        status: 'error',
        messages: [],
        errors: [message],
      });
    }
  }

  return {
    db,
    query: async (sql, params = []) => {
      const statements = sql.split(';').filter((statement) => statement.trim() !== '');
      const results = await db.batch(
        statements.map((statement) => db.prepare(statement).bind(...params)),
      );
      return results.map((result) => ({
        success: true,
        meta: META,
        results: result.results ?? [],
      }));
    },
    import: async (request, fail) => {
      fail(`import ${request.action}`);
      if (request.action === 'init') {
        // A file that has been imported before is not run again.
        const before = imported.get(request.etag);
        if (before !== undefined) return before;
        const filename = `${randomUUID()}.sql`;
        return {
          success: true,
          type: 'import',
          messages: [],
          filename,
          upload_url: `${origin()}/uploads/${filename}`,
        };
      }
      if (request.action === 'ingest') {
        await run(request.etag, fail);
        fail('import result');
        return {
          success: true,
          type: 'import',
          status: 'active',
          at_bookmark: 'bookmark',
          messages: [],
        };
      }
      const report =
        outcome ?? (() => ({ success: false, error: 'Not currently importing anything.' }));
      outcome = undefined;
      return report();
    },
  };
}
