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

for (const button of document.querySelectorAll('button[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
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

/* What is usually typed into a field is proposed below it, with other names of the same; places complete each other. */
const plain = (text) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
const MOST_PROPOSED = 8;

for (const field of document.querySelectorAll('input[list]')) {
  const known = [...document.getElementById(field.getAttribute('list')).options];
  const list = document.createElement('ul');
  let chosen = -1;
  list.id = `${field.id}-list`;
  list.className = 'listbox';
  list.role = 'listbox';
  list.ariaLabel = field.labels[0].textContent;
  list.hidden = true;
  field.removeAttribute('list');
  field.role = 'combobox';
  field.setAttribute('aria-controls', list.id);
  field.setAttribute('aria-autocomplete', 'list');
  field.ariaExpanded = 'false';
  field.after(list);
  field.parentElement.classList.add('menu');

  const close = () => {
    list.hidden = true;
    field.ariaExpanded = 'false';
    field.removeAttribute('aria-activedescendant');
  };
  const pick = (item) => {
    field.value = item.dataset.value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
    close();
  };
  const mark = (at) => {
    chosen = at;
    for (const [index, item] of [...list.children].entries()) {
      item.ariaSelected = String(index === at);
      if (index !== at) continue;
      field.setAttribute('aria-activedescendant', item.id);
      item.scrollIntoView({ block: 'nearest' });
    }
  };
  const itemOf = (value, also, index) => {
    const item = document.createElement('li');
    const note = document.createElement('span');
    item.id = `${list.id}-${index}`;
    item.role = 'option';
    item.dataset.value = value;
    note.className = 'muted';
    note.textContent = also;
    item.append(value, note);
    item.addEventListener('mousedown', (event) => {
      event.preventDefault();
      pick(item);
    });
    return item;
  };
  const propose = () => {
    const text = plain(field.value.trim());
    const found = known
      .map(({ value, label }) => {
        const other = label.split(', ').find((one) => plain(one).includes(text)) ?? '';
        return { value, isNamed: plain(value).includes(text), also: other };
      })
      .filter(({ isNamed, also }) => isNamed || also !== '')
      .toSorted((a, b) => b.isNamed - a.isNamed)
      .slice(0, MOST_PROPOSED);
    const isKnown = text === '' || known.some(({ value }) => plain(value) === text);
    if (field.dataset.new && !isKnown)
      found.push({ value: field.value.trim(), also: field.dataset.new });
    list.replaceChildren(...found.map(({ value, also }, index) => itemOf(value, also, index)));
    mark(-1);
    list.hidden = found.length === 0;
    field.ariaExpanded = String(!list.hidden);
  };
  field.addEventListener('input', (event) => {
    if (event.isTrusted) propose();
  });
  field.addEventListener('click', propose);
  field.addEventListener('blur', close);
  field.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const { length } = list.children;
    if (step !== undefined) {
      event.preventDefault();
      if (list.hidden) propose();
      else mark((chosen + step + length) % length);
    } else if (event.key === 'Enter' && !list.hidden && chosen >= 0) {
      event.preventDefault();
      pick(list.children[chosen]);
    } else if (event.key === 'Escape' && !list.hidden) {
      event.stopPropagation();
      close();
    }
  });
}

const towns = document.getElementById('towns');
if (towns !== null) {
  const { town, postcode, province } = towns.closest('form').elements;
  const fill = (field, text) => {
    if (field.value.trim() !== '' || !text) return;
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const complete = (isMeant) => {
    const place = [...towns.options].find(isMeant);
    if (place === undefined) return;
    fill(town, place.value);
    fill(postcode, place.dataset.postcode);
    fill(province, place.dataset.province);
  };
  town.addEventListener('change', () =>
    complete(({ value }) => plain(value) === plain(town.value.trim())),
  );
  postcode.addEventListener('change', () =>
    complete(
      ({ dataset }) => dataset.postcode !== '' && dataset.postcode === postcode.value.trim(),
    ),
  );
}

/* Counts have buttons for a mouse or a finger; the arrow keys do the same. */
for (const field of document.querySelectorAll('input[data-step]')) {
  const count = document.createElement('div');
  const step = (by) => {
    const value = Number(field.value.replace(',', '.'));
    if (Number.isNaN(value)) return;
    field.value = String(Math.max(0, Math.floor(value) + by));
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const button = (text, by) => {
    const one = document.createElement('button');
    one.type = 'button';
    one.tabIndex = -1;
    one.ariaHidden = 'true';
    one.textContent = text;
    one.addEventListener('click', () => step(by));
    return one;
  };
  count.className = 'count';
  field.replaceWith(count);
  count.append(button('−', -1), field, button('+', 1));
  field.addEventListener('keydown', (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  });
}

/* A second click on a letter of the energy certificate takes it back. */
for (const letter of document.querySelectorAll('.letter')) {
  const radio = letter.querySelector('input');
  let wasChecked = false;
  letter.addEventListener('pointerdown', () => {
    wasChecked = radio.checked;
  });
  letter.addEventListener('click', (event) => {
    if (!wasChecked) return;
    event.preventDefault();
    wasChecked = false;
    letter.closest('.field').querySelector('input[value="X"]').click();
  });
}

/* Another name becomes a chip, or ticks the chip that has it. */
for (const adder of document.querySelectorAll('button[data-adds]')) {
  const field = document.getElementById(adder.dataset.adds);
  const { form } = field;
  const add = () => {
    const name = field.value.trim();
    if (name === '') return;
    const ticks = [...form.querySelectorAll(`.tick input[name="${field.name}"]`)];
    const known = ticks.find(({ value, labels }) =>
      [value, labels[0].textContent].some((one) => plain(one) === plain(name)),
    );
    if (known === undefined) {
      const tick = ticks[0].labels[0].cloneNode(true);
      const box = tick.querySelector('input');
      box.value = name;
      box.checked = true;
      tick.lastChild.textContent = name;
      field.closest('fieldset').querySelector('.ticks').append(tick);
    } else {
      known.checked = true;
      const folded = known.closest('details');
      if (folded) folded.open = true;
    }
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.focus();
  };
  adder.hidden = false;
  adder.addEventListener('click', add);
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || field.value.trim() === '') return;
    event.preventDefault();
    add();
  });
}

/* How rows look changes in place. */
addEventListener('click', async (event) => {
  const link = event.target.closest?.('a[data-looks]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const answer = await fetch(link.href).catch(() => null);
  if (!answer?.ok) {
    location.href = link.href;
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  document.querySelector('[data-keys]').className = page.querySelector('[data-keys]').className;
  const next = page.querySelector('a[data-looks]');
  link.replaceWith(next);
  next.focus();
});

/* The number of rows that are selected; with Shift, all from the last one on. */
const selectable = document.querySelector('form.selectable');
if (selectable !== null) {
  const boxes = [...selectable.querySelectorAll('input[name="id"], input[name="unit"]')];
  const all = selectable.querySelector('input[name="all"]');
  const these = selectable.querySelector('input[name="these"]');
  const label = selectable.querySelector('[data-selected]');
  let last = null;
  // The boxes say it themselves.
  these?.removeAttribute('name');
  const count = () => {
    for (const box of boxes) if (all?.checked) box.checked = true;
    const ticked = boxes.filter((box) => box.checked).length;
    if (these) these.checked = ticked === boxes.length;
    label.querySelector('span').textContent = all?.checked ? label.dataset.selected : ticked;
  };
  selectable.addEventListener('click', ({ target, shiftKey }) => {
    const at = boxes.indexOf(target);
    if (target === these) {
      for (const box of boxes) box.checked = these.checked;
      if (!these.checked) all.checked = false;
    }
    if (at >= 0) {
      if (!target.checked && all !== null) all.checked = false;
      const from = boxes.indexOf(last);
      if (shiftKey && from >= 0)
        for (const box of boxes.slice(Math.min(from, at), Math.max(from, at) + 1))
          box.checked = target.checked;
      last = target;
    }
    count();
  });
  selectable.addEventListener('reset', () => setTimeout(count));
  count();
}

/* Keys of the list, unless they are switched off: they move among rows, which have the focus on their link. */
const keyed = document.querySelector('[data-keys=on]');
if (keyed !== null) {
  const rows = [...keyed.querySelectorAll('tbody tr')];
  const current = () => rows.indexOf(document.activeElement.closest('tr'));
  const move = (step) => {
    const at = Math.max(0, Math.min(rows.length - 1, current() + step));
    rows[at]?.querySelector('a').focus();
  };
  const box = () => rows[current()]?.querySelector('input[name="id"]');
  const does = {
    j: () => move(1),
    k: () => move(-1),
    x: ({ shiftKey }) => box()?.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey })),
    e: () => {
      const link = rows[current()]?.querySelector('a');
      if (box()) location.href = link.href.replace('/property?', '/property/edit?');
    },
    '/': () => document.querySelector('main input[type=search]').focus(),
    '?': () => document.getElementById('keys').togglePopover(),
    escape: () => document.querySelector(':popover-open') ?? selectable?.reset(),
  };
  addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const isTyping = target.closest('input:not([type=checkbox]), textarea, select, [popover]');
    const action = does[key.toLowerCase()];
    if (isTyping || ctrlKey || metaKey || altKey || action === undefined) return;
    if (key !== 'Escape') event.preventDefault();
    action(event);
  });
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

/* Half a second after the last key, the service says what follows from what is typed. */
for (const form of document.querySelectorAll('form[data-check]')) {
  let timer;
  let asked;
  form.addEventListener('input', () => {
    clearTimeout(timer);
    asked?.abort();
    timer = setTimeout(async () => {
      const body = new URLSearchParams(new FormData(form));
      body.set('do', 'check');
      asked = new AbortController();
      const sent = fetch(form.action, { method: 'POST', body, signal: asked.signal });
      const text = await sent.then((answer) => answer.ok && answer.text()).catch(() => null);
      if (!text) return;
      const page = new DOMParser().parseFromString(text, 'text/html');
      const focused = document.activeElement?.id;
      for (const part of document.querySelectorAll('[data-live]')) {
        const now = page.getElementById(part.id);
        if (now !== null && now.innerHTML !== part.innerHTML) part.replaceWith(now);
      }
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    }, 500);
  });
}

/* A search among boxes hides those that do not match. */
for (const finder of document.querySelectorAll('[data-finds]')) {
  const all = document.getElementById(finder.dataset.finds);
  finder.hidden = false;
  finder.addEventListener('input', (event) => {
    event.stopPropagation();
    const text = plain(event.target.value);
    const ticks = [...all.querySelectorAll('label.tick')];
    for (const tick of ticks) tick.hidden = !plain(tick.textContent).includes(text);
    for (const folded of all.querySelectorAll('details')) folded.open = text !== '';
    const left = ticks.filter((tick) => !tick.hidden).length;
    const output = finder.querySelector('output');
    output.textContent = text === '' ? '' : `${left} ${output.dataset.text}`;
  });
  finder.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault();
  });
}

/* The contents mark the part of the page that is looked at. */
const contents = document.querySelectorAll('.toc a');
const watcher = new IntersectionObserver(
  (entries) => {
    const seen = entries.find(({ isIntersecting }) => isIntersecting);
    if (seen === undefined) return;
    for (const link of contents) {
      if (link.hash !== `#${seen.target.id}`) link.removeAttribute('aria-current');
      else {
        link.setAttribute('aria-current', 'true');
        link.closest('.toc').scrollTo({ left: link.offsetLeft - 24 });
      }
    }
  },
  { rootMargin: '0px 0px -70% 0px' },
);
for (const link of contents) watcher.observe(document.querySelector(link.hash));

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

/* Photographs: files are dropped and sent three at a time, and the list changes in place. */
const upload = document.getElementById('upload');
const MOST_AT_ONCE = 3;

/* The list as the server has it now; the focus stays on the tool that was used. */
async function refresh(request) {
  const answer = await (request ?? fetch(location.href, { headers: { Accept: 'text/html' } }));
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const { picture, does } = document.activeElement?.closest('.tools')
    ? {
        picture: document.activeElement.closest('[data-picture]').dataset.picture,
        does: document.activeElement.value,
      }
    : {};
  for (const part of ['#pictures', '.head']) {
    const [old, now] = [document.querySelector(part), page.querySelector(part)];
    if (old === null || now === null) return location.reload();
    old.replaceWith(now);
  }
  const now = page.querySelector('.drop label');
  const label = document.querySelector('.drop label');
  if (now !== null && label !== null) {
    label.textContent = now.textContent;
    label.previousElementSibling.replaceWith(now.previousElementSibling);
  }
  document.querySelector('main > .notice')?.remove();
  const notice = page.querySelector('main > .notice');
  if (notice !== null) document.querySelector('main > .head').after(notice);
  const card = [...document.querySelectorAll('[data-picture]')].find(
    (one) => one.dataset.picture === picture,
  );
  const tools = [...(card?.querySelectorAll('.tool:not(:disabled)') ?? [])];
  (tools.find((tool) => tool.value === does) ?? tools.at(-1))?.focus();
  if (card !== undefined) {
    const said = document.getElementById('said');
    said.textContent = `${said.dataset.moved} ${card.querySelector('.place').textContent}`;
  }
}

/* One after another: an older list must not replace a newer one. */
let refreshing = Promise.resolve();
function refreshSoon(request) {
  refreshing = refreshing.then(() => refresh(request?.())).catch(() => location.reload());
}

function change(fields) {
  const body = new URLSearchParams(fields);
  const headers = { Accept: 'text/html' };
  refreshSoon(() => fetch(location.href, { method: 'POST', body, headers }));
}

if (upload !== null) {
  const list = upload.querySelector('.files');
  const words = document.getElementById('uploads');
  const input = document.getElementById('files');
  const camera = document.getElementById('camera');
  const form = input.form;
  const waiting = [];
  let running = 0;

  for (const one of upload.querySelectorAll('[for=camera], #camera')) one.hidden = false;

  const line = (file) => {
    const item = document.createElement('li');
    const text = document.createElement('div');
    const name = document.createElement('b');
    const note = document.createElement('span');
    const button = document.createElement('button');
    name.textContent = file.name;
    note.className = 'muted small';
    note.textContent = ` ${(file.size / 1e6).toFixed(1)} MB · ${words.dataset.waiting}`;
    button.type = 'button';
    button.className = 'button small';
    button.textContent = words.dataset.cancel;
    button.setAttribute('aria-label', `${words.dataset.cancel} ${file.name}`);
    text.append(name, note);
    item.append(text, button);
    list.append(item);
    return { file, item, text, note, button };
  };

  const enqueue = (entry) => {
    entry.button.onclick = () => {
      waiting.splice(waiting.indexOf(entry), 1);
      entry.item.remove();
    };
    waiting.push(entry);
    next();
  };

  const failed = (entry, why) => {
    entry.text.querySelector('progress')?.remove();
    entry.note.textContent = ` ${words.dataset.failed}: ${why}`;
    entry.note.className = 'error small';
    entry.item.setAttribute('role', 'alert');
    entry.button.textContent = words.dataset.retry;
    entry.button.setAttribute('aria-label', `${words.dataset.retry} ${entry.file.name}`);
    entry.button.onclick = () => {
      entry.item.remove();
      enqueue(line(entry.file));
    };
    const forget = entry.button.cloneNode();
    forget.textContent = words.dataset.cancel;
    forget.setAttribute('aria-label', `${words.dataset.cancel} ${entry.file.name}`);
    forget.onclick = () => {
      entry.item.remove();
      words.hidden = list.children.length === 0;
    };
    entry.button.after(forget);
  };

  const next = () => {
    const entry = running < MOST_AT_ONCE ? waiting.shift() : undefined;
    if (entry === undefined) return;
    running++;
    const request = new XMLHttpRequest();
    const progress = document.createElement('progress');
    progress.max = 100;
    progress.value = 0;
    progress.setAttribute('aria-label', entry.file.name);
    entry.text.append(progress);
    entry.button.onclick = () => request.abort();
    request.upload.onprogress = ({ loaded, total }) => {
      progress.value = (100 * loaded) / total;
      entry.note.textContent =
        loaded < total ? ` ${Math.round(progress.value)}%` : ` ${words.dataset.working}`;
    };
    request.onload = () => {
      let answer = null;
      try {
        answer = JSON.parse(request.responseText);
      } catch {
        // A page, such as the form to sign in again.
      }
      if (request.status !== 200 || answer === null) failed(entry, words.dataset.broken);
      else if (answer.refused.length > 0) failed(entry, answer.refused[0].why);
      else {
        entry.note.textContent = ` ${words.dataset.done}`;
        entry.item.className = 'done';
        progress.remove();
        entry.button.remove();
        refreshSoon();
      }
    };
    request.onerror = () => failed(entry, words.dataset.broken);
    request.onabort = () => entry.item.remove();
    request.onloadend = () => {
      running--;
      next();
      if (running > 0) return;
      for (const done of list.querySelectorAll('.done')) done.remove();
      words.hidden = list.children.length === 0;
    };
    request.open('POST', form.action);
    request.setRequestHeader('Accept', 'application/json');
    const body = new FormData();
    body.append('size', entry.file.size);
    body.append('file', entry.file);
    request.send(body);
  };

  const take = (files) => {
    words.hidden = false;
    for (const file of files) enqueue(line(file));
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    isSent = false;
    take(input.files);
    form.reset();
  });
  input.addEventListener('change', () => form.requestSubmit());
  camera.addEventListener('change', () => {
    take(camera.files);
    camera.value = '';
  });
  addEventListener('dragover', (event) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    form.classList.add('over');
  });
  addEventListener('dragleave', () => form.classList.remove('over'));
  addEventListener('drop', (event) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    form.classList.remove('over');
    take(event.dataTransfer.files);
  });
  addEventListener('beforeunload', (event) => {
    if (running > 0) event.preventDefault();
  });

  addEventListener('submit', (event) => {
    if (!event.target.matches('.tools')) return;
    event.preventDefault();
    isSent = false;
    change(new FormData(event.target, event.submitter));
  });
  addEventListener('change', ({ target }) => {
    if (target.matches('.tools select')) target.form.requestSubmit();
  });

  let lifted = null;
  addEventListener('dragstart', ({ target }) => {
    lifted = target.closest?.('[data-picture]') ?? null;
    lifted?.classList.add('lifted');
  });
  addEventListener('dragover', (event) => {
    const over = event.target.closest?.('[data-picture]');
    if (lifted === null || !over) return;
    event.preventDefault();
    const all = [...over.parentElement.children];
    if (all.indexOf(lifted) < all.indexOf(over)) over.after(lifted);
    else if (over !== lifted) over.before(lifted);
  });
  addEventListener('dragend', () => {
    if (lifted === null) return;
    lifted.classList.remove('lifted');
    lifted = null;
    const order = [...document.querySelectorAll('[data-picture]')].map((one) => [
      'order',
      one.dataset.picture,
    ]);
    change([['do', 'order'], ...order]);
  });
}
