/* Checks records against the XML Schema of their feed, as far as these schemas go: sequences, simple types, attributes. */

const XSD = 'http://www.w3.org/2001/XMLSchema';

/** Built-in types that are more than text. */
const BUILT_IN = {
  'xs:double': /^-?(\d+(\.\d*)?|\.\d+)(E[+-]?\d+)?$/i,
  'xs:integer': /^-?\d+$/,
  'xs:nonNegativeInteger': /^\d+$/,
  'xs:positiveInteger': /^0*[1-9]\d*$/,
};

const FACETS = {
  enumeration: (text, values) => values.includes(text),
  pattern: (text, values) => values.some((value) => new RegExp(`^(?:${value})$`, 'u').test(text)),
  minLength: (text, [value]) => [...text].length >= Number(value),
  maxLength: (text, [value]) => [...text].length <= Number(value),
  minInclusive: (text, [value]) => Number(text) >= Number(value),
  maxInclusive: (text, [value]) => Number(text) <= Number(value),
};

const schemas = new Map();

/** The schema at a path, which is read once. */
function schemaAt(path) {
  if (!schemas.has(path)) {
    const read = async () => new DOMParser().parseFromString(await (await fetch(path)).text(), 'application/xml');
    schemas.set(path, read());
  }
  return schemas.get(path);
}

/** What is wrong with a record, as a path and a reason; `null` if it is valid. */
export async function findFault(xml, schemaPath) {
  const schema = await schemaAt(schemaPath);
  const record = new DOMParser().parseFromString(xml, 'application/xml').documentElement;
  if (record.querySelector('parsererror') !== null || record.localName === 'parsererror') return 'XML';
  const declaration = [...schema.getElementsByTagNameNS(XSD, 'element')].find(
    (candidate) => candidate.getAttribute('name') === record.localName,
  );
  return declaration === undefined ? record.localName : faultOf(record, declaration, schema);
}

function faultOf(element, declaration, schema) {
  const type = typeOf(declaration, schema);
  const within = (fault) => (fault === null ? null : `${element.localName}/${fault}`);
  if (type?.localName === 'complexType') return within(faultOfContent(element, type, schema));
  const fault = faultOfText(element.textContent, type ?? declaration.getAttribute('type'), schema);
  return fault === null ? null : `${element.localName}: ${fault}`;
}

/** The definition of a type; `undefined` for a built-in one. */
function typeOf(declaration, schema) {
  const name = declaration.getAttribute('type');
  if (name === null) return partsOf(declaration, 'complexType')[0] ?? partsOf(declaration, 'simpleType')[0];
  return namedType(name, schema);
}

function namedType(name, schema) {
  return [...schema.documentElement.children].find((type) => type.getAttribute('name') === name);
}

function partsOf(parent, name) {
  return [...parent.children].filter((child) => child.localName === name);
}

function faultOfContent(element, type, schema) {
  for (const attribute of partsOf(type, 'attribute')) {
    const value = element.getAttribute(attribute.getAttribute('name'));
    if (value === null && attribute.getAttribute('use') === 'required') return `@${attribute.getAttribute('name')}`;
  }
  const children = [...element.children];
  for (const declaration of partsOf(type, 'sequence').flatMap((sequence) => partsOf(sequence, 'element'))) {
    const name = declaration.getAttribute('name');
    const most = declaration.getAttribute('maxOccurs') === 'unbounded' ? Number.POSITIVE_INFINITY : 1;
    let count = 0;
    while (count < most && children[0]?.localName === name) {
      const fault = faultOf(children.shift(), declaration, schema);
      if (fault !== null) return fault;
      count++;
    }
    if (count < Number(declaration.getAttribute('minOccurs') ?? 1)) return name;
  }
  return children[0]?.localName ?? null;
}

function faultOfText(text, type, schema) {
  if (typeof type === 'string' || type === null) return (BUILT_IN[type]?.test(text) ?? true) ? null : text;
  const [restriction] = partsOf(type, 'restriction');
  if (restriction === undefined) return null;
  for (const [name, holds] of Object.entries(FACETS)) {
    const values = partsOf(restriction, name).map((facet) => facet.getAttribute('value'));
    if (values.length > 0 && !holds(text, values)) return text;
  }
  const base = restriction.getAttribute('base');
  return faultOfText(text, namedType(base, schema) ?? base, schema);
}
