/**
 * Has work done once: when it is called for, or else when the process ends before, by a signal too. It must be done at
 * once, since a process that ends waits for nothing.
 *
 * @returns what does it
 */
export function atExit(work: () => void): () => void {
  const once = () => {
    process.off('exit', once);
    work();
  };
  process.on('exit', once);
  return once;
}
