/* What pages of the console do beyond links and forms. Every page works without it. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(
      document.getElementById(button.dataset.copy).textContent.trim(),
    );
    const label = button.querySelector('span');
    const text = label.textContent;
    label.textContent = button.dataset.copied;
    setTimeout(() => {
      label.textContent = text;
    }, 2_000);
  });
}

/* The URL changes with the form, before it is sent. */
const form = document.getElementById('feed-form');
form?.addEventListener('input', () => {
  const values = new Map();
  for (const [name, value] of new FormData(form)) {
    if (['format', 'find', 'show', 'portal'].includes(name) || value === '') continue;
    values.set(name, values.has(name) ? `${values.get(name)},${value}` : value);
  }
  const query = [...values].map(
    ([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`,
  );
  const url = document.getElementById('url');
  url.textContent = (url.dataset.before + query.join('&')).replace(/&$/, '');
});

/* A page that waits for something is loaded again while it is looked at, unless somebody types or moves by keyboard. */
const waiting = document.querySelector('[data-refresh]');
if (waiting !== null) {
  const timer = setInterval(() => {
    if (
      document.visibilityState !== 'visible' ||
      document.querySelector(':focus-visible, input:focus, select:focus')
    )
      return;
    // With a notice, it is the answer to a form, which reloading would send again.
    if (document.querySelector('main > .notice'))
      location.replace(location.pathname + location.search);
    else location.reload();
  }, Number(waiting.dataset.refresh) * 1_000);
  // A page or a form that has been requested, this page among them, may take longer than the next turn.
  addEventListener('beforeunload', () => clearInterval(timer));
}

/* A choice that filters a list applies at once. */
for (const select of document.querySelectorAll('select[data-apply]')) {
  select.addEventListener('change', () => select.form.requestSubmit());
}

/* A form is sent once, however often its button is pressed while the answer is on its way: twice could connect two portals. */
let isSent = false;
addEventListener('submit', (event) => {
  if (event.target.method !== 'post') return;
  if (isSent) event.preventDefault();
  isSent = true;
});
const allowAgain = () => {
  isSent = false;
};
addEventListener('pagehide', allowAgain);
/* The request was stopped, or whoever was asked stays on the page. */
globalThis.navigation?.addEventListener('navigateerror', allowAgain);

/* Leaving a page with something typed into it asks first. */
for (const kept of document.querySelectorAll('form[data-keep]')) {
  // What was refused is still only on the page.
  let isTyped = kept.querySelector('[aria-invalid]') !== null;
  kept.addEventListener('input', () => {
    isTyped = true;
  });
  kept.addEventListener('submit', () => {
    isTyped = false;
  });
  addEventListener('beforeunload', (event) => {
    if (isTyped) event.preventDefault();
  });
}

/* In a record that is shown as source, each element gets a line, and its tags a colour of their own. */
for (const code of document.querySelectorAll('code[data-source]')) {
  const source = code.textContent.trim();
  if (source.startsWith('<')) highlight(code, indented(source));
}

function indented(xml) {
  let depth = 0;
  return xml.replaceAll(/(?<=>)(?=<)/g, '\n').replaceAll(/^.*$/gm, (line) => {
    if (line.startsWith('</')) depth--;
    const indent = '  '.repeat(Math.max(0, depth));
    if (/^<[^/][^>]*[^/]>$/.test(line) || /^<\w>$/.test(line)) depth++;
    return indent + line;
  });
}

function highlight(code, xml) {
  const pieces = xml.split(/(<[^>]*>)/);
  code.replaceChildren(
    ...pieces.map((piece) => {
      if (!piece.startsWith('<')) return piece;
      const tag = document.createElement('span');
      tag.className = 'tag';
      tag.textContent = piece;
      return tag;
    }),
  );
}
