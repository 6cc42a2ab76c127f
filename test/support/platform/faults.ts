import type { Random } from '../random.ts';
import { type Use, watched } from '../worker/ask.ts';

/** The probability that a use of D1 or of KV does not go as it should, and that any other use takes a few milliseconds. */
export interface FaultRates {
  readonly d1: number;
  readonly kv: number;
  readonly slow: number;
}

/** What happened to the uses of one request. */
export interface Mishaps {
  /** Whether D1 failed before it had answered anything: then an old manifest may serve verified readers. */
  hadNoAnswerFromD1: boolean;
}

type Kind =
  /** The use fails and has no effect. */
  | 'fail'
  /** It has its effect, and fails all the same. */
  | 'lose the response'
  /** A KV entry is not there for once. */
  | 'miss'
  /** A KV entry is truncated while it is read. */
  | 'cut';

const D1_ERRORS = [
  // The first three are errors for which Cloudflare recommends to retry.
  'D1_ERROR: Network connection lost.',
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
  'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
  'D1_ERROR: D1 DB is overloaded. Too many requests queued.',
  'D1_ERROR: internal error; reference = 0123456789',
];
const KV_ERRORS = ['429 Too Many Requests', '503 Service Unavailable', 'Network connection lost.'];

/** Milliseconds; short, because tests wait for them. */
const MAX_DELAY = 12;

const NONE: FaultRates = { d1: 0, kv: 0, slow: 0 };

/** Faults of D1 and KV, at random from a seed. Each request draws its own, whatever other requests do. */
export class Faults {
  rates = NONE;

  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  /** The test's bindings for one request, with faults or without. */
  forRequest(withFaults = true): {
    readonly bindings: ReturnType<typeof watched>;
    readonly mishaps: Mishaps;
  } {
    const rates = withFaults ? this.rates : NONE;
    const random = this.random.fork();
    const mishaps: Mishaps = { hadNoAnswerFromD1: false };
    const draw = async (of: Use['of'], kinds: readonly Kind[]): Promise<Kind | undefined> => {
      if (random.next() < (of === 'D1' ? rates.d1 : rates.kv)) return random.pick(kinds);
      if (random.next() < rates.slow) await delay(random);
      return undefined;
    };
    let hasAnswered = false;
    const lost = new Set<Use>();
    const bindings = watched(
      async (use) => {
        if (use.of === 'KV get') return;
        const kind = await draw(use.of, ['fail', 'lose the response']);
        if (kind === 'fail') fail(use);
        if (kind === 'lose the response') lost.add(use);
      },
      (use) => {
        if (lost.delete(use)) fail(use);
        if (use.of === 'D1') hasAnswered = true;
      },
    );
    function fail({ of }: Use): never {
      if (of === 'D1' && !hasAnswered) mishaps.hadNoAnswerFromD1 = true;
      throw new Error(of === 'D1' ? random.pick(D1_ERRORS) : kvError(of, random));
    }
    const SNAPSHOTS = new FaultyKv(bindings.SNAPSHOTS, random, () =>
      draw('KV get', ['fail', 'miss', 'cut']),
    );
    return { bindings: { ...bindings, SNAPSHOTS: SNAPSHOTS as unknown as KVNamespace }, mishaps };
  }
}

/** A KV namespace whose reads have faults. */
class FaultyKv {
  private readonly real: KVNamespace;
  private readonly random: Random;
  private readonly draw: () => Promise<Kind | undefined>;

  constructor(real: KVNamespace, random: Random, draw: () => Promise<Kind | undefined>) {
    this.real = real;
    this.random = random;
    this.draw = draw;
  }

  async getWithMetadata(key: string, options: KVNamespaceGetOptions<'stream'>) {
    const kind = await this.draw();
    if (kind === 'fail') throw new Error(kvError('KV get', this.random));
    if (kind === 'miss') return { value: null, metadata: null, cacheStatus: null };
    const found = await this.real.getWithMetadata(key, options);
    if (kind !== 'cut' || found.value === null) return found;
    if (!(found.value instanceof ReadableStream)) throw new Error(kvError('KV get', this.random));
    return { ...found, value: await cut(found.value, this.random) };
  }

  put(...given: Parameters<KVNamespace['put']>) {
    return this.real.put(...given);
  }

  delete(key: string) {
    return this.real.delete(key);
  }
}

/** The beginning of a stream, which then fails. */
async function cut(stream: ReadableStream, random: Random): Promise<ReadableStream<Uint8Array>> {
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const end = random.between(0, Math.max(0, bytes.length - 1));
  let isSent = false;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (isSent || end === 0) return controller.error(new Error(kvError('KV get', random)));
        isSent = true;
        controller.enqueue(bytes.subarray(0, end));
      },
    },
    { highWaterMark: 0 },
  );
}

function kvError(of: Use['of'], random: Random): string {
  return `${of.toUpperCase()} failed: ${random.pick(KV_ERRORS)}`;
}

function delay(random: Random): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, random.between(0, MAX_DELAY)));
}
