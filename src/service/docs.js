/* Renders the OpenAPI document with Redoc. */

(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const colors = dark
    ? {
        text: '#e8e6e1',
        muted: '#b5b1a8',
        link: '#8fc7a5',
        panel: '#20231e',
        error: '#f2a79b',
        warning: '#e5c07b',
        line: '#3a3e36',
      }
    : {
        text: '#22251f',
        muted: '#575c52',
        link: '#14603a',
        panel: '#f3f4f0',
        error: '#a8281a',
        warning: '#7a4f00',
        line: '#d5d8d0',
      };
  const reference = document.getElementById('reference');

  // Examples scroll sideways, so they must be reachable by keyboard; results of a search are named by what they show.
  new MutationObserver(() => {
    for (const example of reference.querySelectorAll('pre:not([tabindex])')) example.tabIndex = 0;
    for (const item of reference.querySelectorAll('[role="menuitem"][aria-label]'))
      item.removeAttribute('aria-label');
  }).observe(reference, { childList: true, subtree: true });

  Redoc.init(
    '/openapi.json',
    {
      hideDownloadButton: false,
      nativeScrollbars: true,
      pathInMiddlePanel: true,
      requiredPropsFirst: true,
      sortTagsAlphabetically: false,
      expandResponses: '200',
      theme: {
        colors: {
          primary: { main: colors.link },
          text: { primary: colors.text, secondary: colors.muted },
          border: { dark: colors.line, light: colors.line },
          success: { main: colors.link },
          error: { main: colors.error },
          warning: { main: colors.warning },
          info: { main: colors.muted },
          gray: { 50: colors.panel, 100: colors.panel },
        },
        schema: {
          typeNameColor: colors.muted,
          typeTitleColor: colors.text,
          requireLabelColor: colors.error,
          nestedBackground: colors.panel,
        },
        sidebar: { backgroundColor: colors.panel, textColor: colors.text },
        rightPanel: { backgroundColor: '#20231e', textColor: '#ffffff' },
        typography: {
          fontSize: '0.875rem',
          fontFamily: 'system-ui, sans-serif',
          headings: { fontFamily: 'system-ui, sans-serif' },
          code: {
            fontSize: '0.8125rem',
            fontFamily: 'ui-monospace, monospace',
            color: colors.link,
            backgroundColor: colors.panel,
          },
          links: { color: colors.link, visited: colors.link, hover: colors.link },
        },
      },
    },
    reference,
  );
})();
