const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

// oxlint-disable-next-line no-control-regex
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

/** Text as it stands in XML. Characters that XML cannot hold are left out. */
export function escapedXml(text: string): string {
  return text.replaceAll(NOT_IN_XML, '').replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
}
