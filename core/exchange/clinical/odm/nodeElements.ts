import type { OdmVersion } from '#core/exchange/odm/namespaces.ts'
import { textsElement } from '#core/exchange/odm/texts.ts'
import { styleOf } from '#core/exchange/odm/version/writeMetaData.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { element } from '#core/exchange/xml/write.ts'
import type { QuerySource, QueryState } from '#core/review/query.ts'

import type { Annotation } from './annotations.ts'
import { FLAG_LIST, listOf } from './annotations.ts'
import type { AuditFacts, EventNode, FormNode, GroupNode, ItemNode, SubjectNode } from './nodes.ts'
import type { ClinicalQuery } from '#core/exchange/clinical/subject.ts'

/** Parts of clinical data as elements of either version of ODM. */

/** What the names of people, centers and lists are in the file. */
export interface FileNames {
  readonly version: OdmVersion
  readonly user: (id: string | null) => string
  readonly location: (centerId: string) => string
  /** OIDs of our lists by the OIDs that were asked for, in the version of the definition. */
  readonly lists: ReadonlyMap<string, string>
}

/** The names around one subject. */
interface SubjectNames extends FileNames {
  readonly centerId: string
}

type AnyNode = Pick<SubjectNode, 'transaction' | 'audit' | 'annotations' | 'queries'>

export function subjectElement(node: SubjectNode, fileNames: FileNames): XmlElement {
  const names = { ...fileNames, centerId: node.centerId }
  const site = element('SiteRef', { LocationOID: names.location(node.centerId) })
  const events = node.events.map((event) => eventElement(event, names))
  const { before, between, after } = around(node, names)
  return element('SubjectData', { SubjectKey: node.key, TransactionType: node.transaction ?? undefined }, [
    ...before,
    site,
    ...between,
    ...events,
    ...after,
  ])
}

function eventElement(node: EventNode, names: SubjectNames): XmlElement {
  const { before, between, after } = around(node, names)
  return element(
    'StudyEventData',
    {
      StudyEventOID: node.oid,
      StudyEventRepeatKey: node.repeat ?? undefined,
      TransactionType: node.transaction ?? undefined,
    },
    [...before, ...between, ...node.forms.map((form) => formElement(form, names)), ...after],
  )
}

/** ODM 2.0 knows forms as groups of groups. */
function formElement(node: FormNode, names: SubjectNames): XmlElement {
  const { before, between, after } = around(node, names)
  const groups = node.groups.map((group) => groupElement(group, names))
  const TransactionType = node.transaction ?? undefined
  const content = [...before, ...between, ...groups, ...after]
  if (names.version === '2.0')
    return element(
      'ItemGroupData',
      { ItemGroupOID: node.oid, ItemGroupRepeatKey: node.repeat ?? undefined, TransactionType },
      content,
    )
  return element('FormData', { FormOID: node.oid, FormRepeatKey: node.repeat ?? undefined, TransactionType }, content)
}

function groupElement(node: GroupNode, names: SubjectNames): XmlElement {
  const { before, between, after } = around(node, names)
  return element(
    'ItemGroupData',
    {
      ItemGroupOID: node.oid,
      ItemGroupRepeatKey: node.repeat ?? undefined,
      TransactionType: node.transaction ?? undefined,
      ItemGroupDataSeq: names.version === '2.0' && node.place !== null ? String(node.place) : undefined,
    },
    [...before, ...between, ...node.items.map((item) => itemElement(item, names)), ...after],
  )
}

function itemElement(node: ItemNode, names: SubjectNames): XmlElement {
  const is2 = names.version === '2.0'
  const { before, between, after } = around(node, names)
  const values = node.texts.map((text, at) => element('Value', { SeqNum: String(at + 1) }, text))
  return element(
    'ItemData',
    {
      ItemOID: node.oid,
      TransactionType: node.transaction ?? undefined,
      ...(is2 ? {} : { Value: node.isNull ? undefined : node.texts[0] }),
      IsNull: node.isNull ? 'Yes' : undefined,
    },
    [...(is2 ? values : []), ...before, ...between, ...after],
  )
}

/**
 * Where each version has the audit record and the annotations: 1.3.2 before what is within, 2.0 after it. An electronic
 * signature stands right after the audit record in both.
 */
function around(
  node: AnyNode,
  names: SubjectNames,
): Readonly<Record<'before' | 'between' | 'after', readonly XmlElement[]>> {
  const is2 = names.version === '2.0'
  const audit = node.audit === null ? [] : [auditElement(node.audit, names)]
  const annotations = node.annotations.map((one, at) => annotationElement(one, at + 1, names))
  if (is2)
    return {
      before: [],
      between: [],
      after: [...audit, ...annotations, ...node.queries.map((query) => queryElement(query, names))],
    }
  const queries = node.queries.map((query, at) =>
    annotationElement(queryAnnotation(query), node.annotations.length + at + 1, names, `Q.${query.id}`),
  )
  return { before: audit, between: [...annotations, ...queries], after: [] }
}

function auditElement(
  { userId, centerId, at, reason, source, isCalculated }: AuditFacts,
  names: SubjectNames,
): XmlElement {
  const used = isCalculated ? 'Yes' : undefined
  return element('AuditRecord', names.version === '2.0' ? { UsedMethod: used } : { UsedImputationMethod: used }, [
    element('UserRef', { UserOID: names.user(userId) }),
    element('LocationRef', { LocationOID: names.location(centerId) }),
    element('DateTimeStamp', {}, at),
    ...(reason === null ? [] : [element('ReasonForChange', {}, reason)]),
    ...(source === null ? [] : [element('SourceID', {}, source)]),
  ])
}

function annotationElement(
  { kind, code, comment }: Annotation,
  number: number,
  { version, lists }: SubjectNames,
  id?: string,
): XmlElement {
  const list = listOf(kind)
  const oidOf = (wanted: string) => lists.get(wanted) ?? wanted
  const flag =
    list === null || code === null
      ? [element('FlagValue', { CodeListOID: oidOf(FLAG_LIST) }, kind)]
      : [
          element('FlagValue', { CodeListOID: oidOf(list) }, code),
          element('FlagType', { CodeListOID: oidOf(FLAG_LIST) }, kind),
        ]
  return element('Annotation', { SeqNum: String(number), ID: id }, [
    ...(comment === null ? [] : [commentElement(comment, version)]),
    element('Flag', {}, flag),
  ])
}

function commentElement(comment: string, version: OdmVersion): XmlElement {
  return version === '2.0'
    ? textsElement('Comment', { zh: comment }, styleOf(version))
    : element('Comment', {}, comment)
}

const SOURCES: Readonly<Record<QuerySource, string>> = {
  system: 'System',
  dataManagement: 'Data Management',
  monitor: 'Site Monitor',
}

const STATES: Readonly<Record<QueryState, string>> = {
  candidate: 'Candidate',
  open: 'Open',
  answered: 'Answered',
  closed: 'Closed',
  cancelled: 'Cancelled',
}

/** A query of ODM 2.0: what is asked, and each act as an audit record with what was said as its reason. */
function queryElement(query: ClinicalQuery, names: SubjectNames): XmlElement {
  return element(
    'Query',
    {
      OID: `Q.${query.id}`,
      Source: SOURCES[query.source],
      Type: query.source === 'system' ? 'System' : 'Manual',
      State: STATES[query.state],
      LastUpdateDatetime: query.stateAt,
      Name: `#${query.no}`,
    },
    [
      element('Value', {}, questionOf(query)),
      ...query.thread.map(({ by, receivedAt, text, act, effect, state, category }) =>
        auditElement(
          {
            userId: by,
            centerId: names.centerId,
            at: receivedAt,
            reason: text,
            source: [
              `act=${act}`,
              `effect=${effect}`,
              `state=${state}`,
              ...(category === null ? [] : [`category=${category}`]),
            ].join(';'),
            isCalculated: false,
          },
          names,
        ),
      ),
    ],
  )
}

/** What is asked; the name of the rule where a rule asks without words, or where the words may not be seen. */
function questionOf({ thread, rule, no }: ClinicalQuery): string {
  return thread[0]?.text ?? rule ?? `#${no}`
}

/** A query of ODM 1.3.2: who asks what in the first line, then everything that was said, an act a line. */
function queryAnnotation(query: ClinicalQuery): Annotation {
  const lines = query.thread.map(
    ({ receivedAt, byName, act, text }) => `${receivedAt} ${byName} ${act}${text === null ? '' : `: ${text}`}`,
  )
  return {
    kind: 'query',
    code: query.state,
    comment: [`#${query.no} ${SOURCES[query.source]}: ${questionOf(query)}`, ...lines].join('\n'),
  }
}
