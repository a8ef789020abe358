import { fixedList } from '#core/access/fixedLists.ts'
import type { DefinitionInput } from '#core/api/calls/design.ts'
import { fillLists } from '#core/form/definition/fillLists.ts'
import type { AskForList } from '#core/form/definition/fillLists.ts'
import { listUrlFor, itemsIn, partOf } from '#core/form/definition/lists.ts'
import type { NamedList } from '#core/form/definition/lists.ts'
import type { Services } from '#server/services.ts'

/**
 * Lists that a definition names by their addresses. They are fetched once, when the definition is saved
 * (docs/adr/0024-lists-and-look-ups.md). Our own dictionaries are read from the database. Other servers are asked
 * only where the operator allows them (`LIST_HOSTS`), and without anybody's token.
 */

/** Most records of one list, and most requests for its pages. */
const MAX_ITEMS = 20_000
const PAGE_SIZE = 500
/** Most bytes of an answer, and the longest wait for one, in ms. */
const MAX_BYTES = 4 * 1024 * 1024
const TIMEOUT = 5_000
/** Most requests that one definition makes to other servers. */
const MAX_QUESTIONS = 400

/** The definition with its lists filled in. Makes no request where it names no lists. */
export async function withLists(services: Services, definition: DefinitionInput): Promise<DefinitionInput> {
  const ask = asking(services)
  const filled = new Map<string, string>()
  const folders = []
  for (const folder of definition.folders) {
    const pages = []
    for (const page of folder.pages) {
      const option = filled.get(page.option) ?? (await optionWithLists(page.option, ask))
      filled.set(page.option, option)
      pages.push({ ...page, option })
    }
    folders.push({ ...folder, pages })
  }
  return { ...definition, folders }
}

async function optionWithLists(text: string, ask: AskForList): Promise<string> {
  // Most pages contain their choices, which their text alone shows.
  if (!NAMES_LISTS.test(text)) return text
  let option: unknown
  try {
    option = JSON.parse(text)
  } catch (error) {
    // A page that cannot be read is kept as it is and reported as such.
    if (error instanceof SyntaxError) return text
    throw error
  }
  const before = partOf(option)
  const after = await fillLists(before, ask)
  return after === before ? text : JSON.stringify(after)
}

const NAMES_LISTS = /"(?:dicUrl|url)"\s*:/

function asking(services: Services): AskForList {
  const known = new Map<string, Promise<readonly unknown[] | null>>()
  let questions = 0
  return (named, answer) => {
    const address = listUrlFor(named.url, answer)
    const key = JSON.stringify([address, named.path, named.paging])
    const asked = known.get(key)
    if (asked !== undefined) return asked
    const own = ownList(address)
    questions += own === null ? 1 : 0
    const list =
      own !== null
        ? Promise.resolve(own)
        : questions > MAX_QUESTIONS
          ? Promise.resolve(null)
          : foreignList(services, named, address)
    known.set(key, list)
    return list
  }
}

/** A dictionary of our own; null where the address is not one of ours. */
function ownList(address: string): readonly unknown[] | null {
  const [path = '', query = ''] = address.split('?')
  if (!/^(?:\/api)?\/?blade-system\/dict\/dictionary$/.test(path)) return null
  const entries = fixedList(new URLSearchParams(query).get('code') ?? '')
  // Each choice has both the names of the BladeX family and the names that a column reads by default.
  return entries.map(({ key, value }) => ({ dictKey: key, dictValue: value, label: value, value: key }))
}

async function foreignList(
  { config, log }: Services,
  named: NamedList,
  address: string,
): Promise<readonly unknown[] | null> {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || !config.listHosts.includes(url.host))
    return null
  if (url.username !== '' || url.password !== '') return null
  try {
    if (named.paging === null) return itemsIn(await getJson(url), named.path)
    return await allPages(url, named, named.paging)
  } catch (error) {
    // A missing list is reported when the version is published; another server that is down is no error of ours.
    log.warn({ host: url.host, kind: error instanceof Error ? error.name : 'unknown' }, 'a list could not be fetched')
    return null
  }
}

async function allPages(
  url: URL,
  named: NamedList,
  paging: NonNullable<NamedList['paging']>,
): Promise<readonly unknown[]> {
  const all: unknown[] = []
  for (let current = 1; all.length < MAX_ITEMS; current += 1) {
    const page = new URL(url)
    page.searchParams.set(paging.current, String(current))
    page.searchParams.set(paging.size, String(PAGE_SIZE))
    const body = await getJson(page)
    const at =
      named.path === null ? body : named.path.split('.').reduce<unknown>((part, name) => partOf(part)[name], body)
    const holder = Array.isArray(at)
      ? { [paging.records]: at }
      : partOf(partOf(at)[paging.records] === undefined ? partOf(at).data : at)
    const records = itemsIn(holder[paging.records], null) ?? []
    all.push(...records)
    const total = Number(holder[paging.total])
    if (records.length === 0 || !Number.isFinite(total) || all.length >= total) return all
  }
  return all.slice(0, MAX_ITEMS)
}

async function getJson(url: URL): Promise<unknown> {
  // No redirect may lead to a server that is not allowed.
  const answer = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
    headers: { accept: 'application/json' },
  })
  if (!answer.ok || answer.body === null) throw new ListNotHad()
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body as AsyncIterable<Uint8Array>) {
    size += part.byteLength
    if (size > MAX_BYTES) throw new ListNotHad()
    parts.push(part)
  }
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))) as unknown
}

class ListNotHad extends Error {
  override readonly name = 'ListNotHad'
}
