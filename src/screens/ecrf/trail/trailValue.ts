import * as z from 'zod/mini'
import { referencesIn } from '#core/files/reference.ts'
import type { Field } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'
import { markStates, reviewMethods, reviewTracks } from '#core/review/verification.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { itemContent } from '#core/sync/entryChange.ts'

/** Turns what a line says besides its place into words. */
export interface ValueWords {
  readonly content: (field: Field | null, content: ItemContent) => string
  /** The word for a state: of a page, a visit, a sex, a deletion. */
  readonly state: (prop: string | null, value: string | boolean) => string
  /** The label of a patient fact; null for a code that is no fact. */
  readonly fact: (code: string) => string | null
  /** The name of a user or a member. */
  readonly person: (id: string) => string
  /** Of a mark of checking: its track, its state, and how the source was seen. */
  readonly mark: (mark: TrailMark) => string
  readonly colon: string
  /** The word between names. */
  readonly and: string
}

const trailMark = z.object({
  state: z.nullable(z.enum(markStates)),
  track: z.exactOptional(z.enum(reviewTracks)),
  method: z.exactOptional(z.nullable(z.enum(reviewMethods))),
  note: z.exactOptional(z.nullable(z.string())),
})
/** What a line says of a mark of checking. */
type TrailMark = z.infer<typeof trailMark>

/** Why a field was taken back or exempt: the mark has it, not the line. */
export function noteOfMark(action: string, value: JsonValue): string | null {
  const mark = action.startsWith('review.') ? trailMark.safeParse(value) : null
  return mark?.success === true ? (mark.data.note ?? null) : null
}

/** What a value belongs to. */
interface Said {
  readonly action: string
  readonly prop: string | null
}

/** Actions whose value is a list of people: those to whom a patient is assigned, or those who were notified. */
const ASSIGNING: ReadonlySet<string> = new Set(['patient.members', 'patient.experts', 'patient.notify'])

/**
 * One value of a line in words. A value without words is shown as stored, because both values must always be readable.
 */
export function valueText(value: JsonValue, said: Said, field: Field | null, words: ValueWords): string | null {
  const { prop, action } = said
  if (value === null) return null
  if (typeof value === 'string' || typeof value === 'boolean') return words.state(prop, value)
  if (typeof value !== 'object') return String(value)
  // The query itself shows what was said in it; here it is who said something, and what.
  if (action === 'query.assign') return isRecord(value) ? assignment(value, words) : null
  if (action.startsWith('query.')) return isRecord(value) ? queryText(value, words) : null
  const mark = action.startsWith('review.') ? trailMark.safeParse(value) : null
  if (mark?.success === true) {
    const content = itemContent.safeParse(value)
    return [words.mark(mark.data), content.success ? contentText(content.data, prop, field, words) : '']
      .filter(Boolean)
      .join(' · ')
  }
  if (ASSIGNING.has(action))
    return people(Array.isArray(value) ? value : isRecord(value) ? value['members'] : null, words)
  const content = itemContent.safeParse(value)
  if (content.success) return contentText(content.data, prop, field, words)
  if (isRecord(value)) {
    const { server, mine, to, name } = value
    if (server !== undefined && mine !== undefined)
      return [server, mine].map((one) => valueText(one, said, field, words)).join(' ／ ')
    if (to !== undefined) return valueText(to, said, field, words)
    const facts = action.startsWith('patient.') ? factsIn(value, words) : ''
    if (facts !== '') return facts
    if (typeof name === 'string') return name
  }
  return JSON.stringify(value)
}

function contentText(content: ItemContent, prop: string | null, field: Field | null, words: ValueWords): string {
  const { value } = content
  // The value says whether a row or a page is deleted.
  return field === null && (typeof value === 'boolean' || value === null) && prop !== null && prop.startsWith('_')
    ? words.state(prop, value === true)
    : words.content(field, content)
}

function factsIn(value: Readonly<Record<string, JsonValue>>, words: ValueWords): string {
  return Object.entries(value)
    .flatMap(([code, one]) => {
      const name = words.fact(code)
      return name === null || one === null
        ? []
        : [`${name}${words.colon}${typeof one === 'string' ? words.state(code, one) : JSON.stringify(one)}`]
    })
    .join(' · ')
}

/** What somebody said in a query and the files that they brought, or the file that a line is about. */
function queryText({ text, files, name }: Readonly<Record<string, JsonValue>>, words: ValueWords): string | null {
  const names = referencesIn(files ?? null).map((file) => file.name)
  const parts = [text, names.join(words.and), name].flatMap((part) =>
    typeof part === 'string' && part !== '' ? [part] : [],
  )
  return parts.length === 0 ? null : parts.join(' · ')
}

/** To whom a query is given, and what was said with it. */
function assignment({ assignee, text }: Readonly<Record<string, JsonValue>>, words: ValueWords): string | null {
  const name = typeof assignee === 'string' ? words.person(assignee) : ''
  return [name, typeof text === 'string' ? text : ''].filter(Boolean).join(' · ') || null
}

function people(ids: JsonValue | undefined, words: ValueWords): string | null {
  return Array.isArray(ids) && ids.length > 0 ? ids.map((id) => words.person(String(id))).join(words.and) : null
}

function isRecord(value: JsonValue): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
