import type { DefinedPage } from '#core/exchange/definition.ts'
import type { Reporter } from '#core/exchange/odm/folders.ts'
import { redcapKey } from '#core/exchange/odm/namespaces.ts'
import type { OdmSource } from '#core/exchange/odm/source.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childOf } from '#core/exchange/xml/element.ts'
import type { FolderSchedule } from '#core/study/visits/visitPlan.ts'

/**
 * What a project of REDCap says of its events: days from the beginning of a record with a range around them, arms, and
 * what repeats. Its attributes say it; `Type="Common"` stands at each of its events and means nothing.
 */

/** What the element is called that says which events and instruments repeat. */
export const REPEATS = 'RepeatingInstrumentsAndEvents'

interface RedcapPlan {
  /** When an event takes place; null where the project plans none. */
  readonly scheduleOf: (event: XmlElement) => FolderSchedule | null
  /** Pages with what repeats in any of their events. */
  readonly withRepeats: (
    pages: readonly DefinedPage[],
    codeOf: (formOid: string) => string | null,
  ) => readonly DefinedPage[]
}

interface Offsets {
  readonly day: number
  readonly before: number
  readonly after: number
}

/** Reads the plan of a project's events, and reports what of it has no place here. */
export function readRedcapPlan(source: OdmSource, reporter: Reporter): RedcapPlan {
  const events = [...source.events.values()]
  const offsets = new Map(events.map((event) => [event, offsetsOf(event)]))
  const isPlanned = plansDays(source, [...offsets.values()])
  const repeats = repeatsOf(source)
  const arms = new Set(events.map((event) => redcap(event, 'ArmNum')))
  for (const event of events) {
    const report = reporter(event)
    const offset = offsets.get(event)
    const days = ['DayOffset', 'OffsetMin', 'OffsetMax'].map((name) => `${name}="${redcap(event, name)}"`).join(' ')
    if (offset === null && redcap(event, 'DayOffset') !== '') report('visit', 'no-timing', days)
    else if (offset !== null && !isPlanned) report('visit', 'not-used-by-source', days)
    if (arms.size > 1) report('visit', 'no-place', `Arm ${redcap(event, 'ArmNum')}: ${redcap(event, 'ArmName')}`)
    if (redcap(event, 'CustomEventLabel') !== '') report('label', 'piped-value', redcap(event, 'CustomEventLabel'))
  }
  return {
    scheduleOf: (event) => {
      const repeating =
        attributeOf(event, 'Repeating') === 'Yes' || repeats.events.has(redcap(event, 'UniqueEventName'))
      const offset = offsets.get(event) ?? null
      if (offset !== null && isPlanned) return { kind: 'planned', anchor: { of: 'enrolment' }, ...offset, repeating }
      return repeating ? { kind: 'unscheduled' } : null
    },
    withRepeats: (pages, codeOf) => {
      const repeating = new Set<string>()
      for (const { element, form, label } of repeats.forms) {
        const code = codeOf(`Form.${form}`) ?? codeOf(form)
        const report = reporter(element, form)
        if (code === null) report('page', 'not-defined', form)
        else repeating.add(code)
        if (label !== '') report('label', 'piped-value', label)
      }
      return pages.map((page) => (repeating.has(page.pageCode) ? { ...page, repeatable: true } : page))
    },
  }
}

function redcap(element: XmlElement, name: string): string {
  return attributeOf(element, redcapKey(name))
}

function offsetsOf(event: XmlElement): Offsets | null {
  const [day, before, after] = ['DayOffset', 'OffsetMin', 'OffsetMax'].map((name) => redcap(event, name).trim())
  const isDay = (text: string | undefined): text is string =>
    text !== undefined && /^-?\d{1,5}$/.test(text) && Math.abs(Number(text)) <= MOST_DAYS
  if (!isDay(day)) return null
  const width = (text: string | undefined) => (isDay(text) ? Math.abs(Number(text)) : 0)
  return { day: Number(day), before: width(before), after: width(after) }
}

/** Days that a plan here may reach. */
const MOST_DAYS = 36_500

/**
 * REDCap numbers the events of a project that plans nothing 1, 2, 3 as its days. Days are a plan where its scheduling
 * is on, or where they say more than the order does.
 */
function plansDays({ study }: OdmSource, offsets: readonly (Offsets | null)[]): boolean {
  const settings = childOf(study, 'GlobalVariables')
  if (settings?.children.some(({ name, text }) => name === 'SchedulingEnabled' && text.trim() === '1') === true)
    return true
  const known = offsets.filter((one) => one !== null)
  const isCounting =
    [0, 1].some((first) => known.every(({ day }, at) => day === first + at)) ||
    known.every(({ day }) => day === known[0]?.day)
  return !isCounting || known.some(({ before, after }) => before !== 0 || after !== 0)
}

interface Repeats {
  /** Unique names of events that repeat as a whole. */
  readonly events: ReadonlySet<string>
  readonly forms: readonly { readonly element: XmlElement; readonly form: string; readonly label: string }[]
}

function repeatsOf({ study }: OdmSource): Repeats {
  const settings = childOf(study, 'GlobalVariables')
  const all = (settings?.children ?? []).filter(({ name }) => name === REPEATS).flatMap(({ children }) => children)
  const instruments = all.flatMap((one) =>
    one.name === 'RepeatingInstruments' ? one.children : one.name === 'RepeatingInstrument' ? [one] : [],
  )
  const seen = new Set<string>()
  return {
    events: new Set(
      all.filter(({ name }) => name === 'RepeatingEvent').map((event) => redcap(event, 'UniqueEventName')),
    ),
    forms: instruments.flatMap((element) => {
      const form = redcap(element, 'RepeatInstrument')
      // It is named once for each of its events.
      if (seen.has(form)) return []
      seen.add(form)
      return [{ element, form, label: redcap(element, 'CustomLabel') }]
    }),
  }
}
