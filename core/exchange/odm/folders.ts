import type { DefinedFolder, Report } from '#core/exchange/definition.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childOf, childrenOf } from '#core/exchange/xml/element.ts'
import { isFieldCode } from '#core/form/definition/page.ts'
import type { FolderSchedule } from '#core/study/visits/visitPlan.ts'
import { folderSchedule, planProblems } from '#core/study/visits/visitPlan.ts'

import { freeCode } from './names.ts'
import { ownWordsOf } from './ownWords.ts'
import { MAX_NAME, namesOf } from './pages.ts'
import type { OdmSource } from './source.ts'
import { inOrder } from './source.ts'

/** Study events as visits, in the order of the protocol. */

export type Reporter = (definition: XmlElement, field?: string) => Report

/** The events of the plan; those that the protocol does not name are reported. */
export function plannedEvents({ metadata, events, eventGroups }: OdmSource, reporter: Reporter): readonly XmlElement[] {
  const protocol = childOf(metadata, 'Protocol')
  const references = protocol === null ? [] : eventReferences(protocol, eventGroups, new Set())
  if (references.length === 0) return [...events.values()]
  const planned = new Set<XmlElement>()
  for (const reference of references) {
    const oid = attributeOf(reference, 'StudyEventOID')
    const event = events.get(oid)
    const report = reporter(reference, oid)
    if (event === undefined) report('visit', 'not-defined', oid)
    else planned.add(event)
    reportCondition(reference, report)
  }
  for (const event of events.values())
    if (!planned.has(event)) reporter(event)('visit', 'not-referenced', attributeOf(event, 'Name'))
  return [...planned]
}

/** ODM 2.0 has groups of events, and groups within them. */
function eventReferences(
  holder: XmlElement,
  groups: ReadonlyMap<string, XmlElement>,
  above: ReadonlySet<string>,
): readonly XmlElement[] {
  return inOrder(
    holder.children.filter(({ name }) => name === 'StudyEventRef' || name === 'StudyEventGroupRef'),
  ).flatMap((reference) => {
    if (reference.name === 'StudyEventRef') return [reference]
    const oid = attributeOf(reference, 'StudyEventGroupOID')
    const group = groups.get(oid)
    return group === undefined || above.has(oid) ? [] : eventReferences(group, groups, new Set([...above, oid]))
  })
}

/** The forms that an event names, in its order: those of ODM 2.0 are groups. */
export function formReferences(event: XmlElement): readonly XmlElement[] {
  return inOrder([...childrenOf(event, 'FormRef'), ...childrenOf(event, 'ItemGroupRef')])
}

/** The OID that a reference to a form names. */
export function formOidOf(reference: XmlElement): string {
  return attributeOf(reference, 'FormOID') || attributeOf(reference, 'ItemGroupOID')
}

/**
 * Visits with their pages.
 *
 * @param codeOf the code of the page of a form, null where the file has no such form
 * @param scheduleIn when an event takes place, where a system says so otherwise than ODM
 */
export function readFolders(
  events: readonly XmlElement[],
  codeOf: (formOid: string) => string | null,
  reporter: Reporter,
  scheduleIn = scheduleOf,
): readonly DefinedFolder[] {
  const taken = new Set<string>()
  const folders = events.map((event): DefinedFolder => {
    const oid = attributeOf(event, 'OID')
    const report = reporter(event)
    const words = ownWordsOf(event)
    const own =
      typeof words['code'] === 'string' && isFieldCode(words['code']) && !taken.has(words['code'].toLowerCase())
        ? words['code']
        : null
    const folderCode = own ?? freeCode(oid, 'visit', taken)
    taken.add(folderCode.toLowerCase())
    if (own === null && folderCode !== oid) report('field-name', 'name-not-allowed', oid)
    const pages = formReferences(event).flatMap((reference) => {
      const formOid = formOidOf(reference)
      const code = codeOf(formOid)
      const reportReference = reporter(reference, formOid)
      reportCondition(reference, reportReference)
      if (code === null) reportReference('page', 'not-defined', formOid)
      return code === null ? [] : [code]
    })
    const schedule = scheduleIn(event, words, report)
    const { name, nameEn } = namesOf(event, report)
    const sourceOid = own === null ? oid : words['sourceOid']
    return {
      folderCode,
      folderName: name.slice(0, MAX_NAME),
      ...(nameEn === null ? {} : { folderNameEn: nameEn.slice(0, MAX_NAME) }),
      pages: [...new Set(pages)],
      ...(schedule === null ? {} : { schedule }),
      ...(typeof sourceOid === 'string' && sourceOid !== folderCode ? { sourceOid } : {}),
    }
  })
  // A plan of ours that was taken apart is none.
  const unsound = new Set(
    planProblems(folders).flatMap((problem) => (problem.kind === 'circle' ? problem.path : [problem.folderCode])),
  )
  return folders.map(({ schedule, ...folder }) =>
    schedule === undefined || unsound.has(folder.folderCode) ? folder : { ...folder, schedule },
  )
}

/**
 * ODM 1 has no days. What is common to all of a study is written in at any time; what is unscheduled, or repeats
 * without a plan, is made when it is needed.
 */
function scheduleOf(
  event: XmlElement,
  words: Readonly<Record<string, unknown>>,
  report: Report,
): FolderSchedule | null {
  const own = folderSchedule.safeParse(words['schedule'])
  if (own.success) return own.data
  const type = attributeOf(event, 'Type')
  const isRepeating = attributeOf(event, 'Repeating') === 'Yes'
  if (type === 'Unscheduled') return { kind: 'unscheduled' }
  if (!isRepeating) return type === 'Common' ? { kind: 'log' } : null
  report('visit', 'no-timing', `Repeating="Yes" Type="${type}"`)
  return { kind: 'unscheduled' }
}

function reportCondition(reference: XmlElement, report: Report): void {
  const condition = attributeOf(reference, 'CollectionExceptionConditionOID')
  if (condition !== '') report('branching', 'no-place', condition)
}
