/* What pages of the console do beyond links and forms. Every page works without it. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    const text = button.textContent;
    button.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = text;
    }, 2_000);
  });
}

/* The URL and the command change with the form, before it is sent. */
const form = document.getElementById('feed-form');
form?.addEventListener('input', () => {
  const values = new Map();
  for (const [name, value] of new FormData(form)) {
    if (['format', 'find', 'show'].includes(name) || value === '') continue;
    values.set(name, values.has(name) ? `${values.get(name)},${value}` : value);
  }
  const query = [...values].map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`);
  for (const id of ['url', 'curl']) {
    const shown = document.getElementById(id);
    shown.textContent = shown.dataset.before + query.join('&') + (shown.dataset.after ?? '');
  }
});

/* In a record that is shown as XML, each element gets a line, and its tags a colour of their own. */
for (const code of document.querySelectorAll('code[data-xml]')) highlight(code, indented(code.textContent));

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
