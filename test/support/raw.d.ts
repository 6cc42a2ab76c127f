/** A file's text. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** Vite's way to import all files that match a pattern. */
interface ImportMeta {
  glob<Module>(
    pattern: string,
    options: { readonly query: '?raw'; readonly import: 'default'; readonly eager: true },
  ): Readonly<Record<string, Module>>;
}
