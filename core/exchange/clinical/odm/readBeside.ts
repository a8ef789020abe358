import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childOf, childrenOf, deepText } from '#core/exchange/xml/element.ts'

import type { Annotation } from './annotations.ts'
import { ownAnnotations } from './readItem.ts'
import type { ReadChange, ReadPlace, ReadQuery } from './readPages.ts'

/** What stands beside data: who did what, what is asked, and what is not understood. */

/** A part of the data that was not understood; `oid` names it. No value is told. */
export interface NotRead {
  readonly line: number
  readonly oid: string
  readonly why:
    | 'no-version'
    | 'no-event'
    | 'no-form'
    | 'no-group'
    | 'no-item'
    | 'no-code'
    | 'not-of-type'
    | 'annotation'
    | 'element'
    | 'signature'
    | 'association'
    | 'reference-data'
}

/** Elements that are read, or say nothing that is data. */
const KNOWN: ReadonlySet<string> = new Set([
  'AuditRecord',
  'Signature',
  'SiteRef',
  'Annotation',
  'StudyEventData',
  'FormData',
  'ItemGroupData',
  'Query',
  'Value',
])

/** Elements around data that are passed over one by one. */
export class Besides {
  readonly changes: ReadChange[] = []
  readonly queries: ReadQuery[] = []
  readonly notRead: NotRead[] = []

  /** What stands beside the data of a place: annotations of our own; the rest is noted, or told of. */
  take(element: XmlElement, place: ReadPlace): readonly Annotation[] {
    const own = ownAnnotations(element)
    if (childrenOf(element, 'Annotation').length > own.length) this.not(element, '', 'annotation')
    for (const child of element.children) {
      if (child.name === 'Signature') this.not(child, '', 'signature')
      const isKnown = KNOWN.has(child.name) || child.name.startsWith('ItemData')
      if (!isKnown || child.namespace !== element.namespace) this.not(child, child.name, 'element')
    }
    this.#change(element, place)
    for (const query of childrenOf(element, 'Query')) {
      const value = childOf(query, 'Value')
      this.queries.push({
        ...place,
        state: attributeOf(query, 'State').toLowerCase(),
        name: attributeOf(query, 'Name') || attributeOf(query, 'OID'),
        text: value === null ? '' : deepText(value),
      })
    }
    for (const { kind, code, comment } of own) {
      if (kind !== 'query') continue
      const [, name = '', text = ''] = /^(#\d+) [^:\n]*: ([^]*)$/.exec(comment?.split('\n')[0] ?? '') ?? []
      this.queries.push({ ...place, state: code ?? '', name, text })
    }
    return own
  }

  not({ line }: XmlElement, oid: string, why: NotRead['why']): void {
    this.notRead.push({ line, oid, why })
  }

  #change(element: XmlElement, place: ReadPlace): void {
    const audit = childOf(element, 'AuditRecord')
    if (audit === null) return
    const textOf = (name: string) => {
      const child = childOf(audit, name)
      return child === null ? null : deepText(child)
    }
    this.changes.push({
      ...place,
      transaction: attributeOf(element, 'TransactionType'),
      userOid: userOf(audit),
      at: timeOf(audit),
      reason: textOf('ReasonForChange'),
      source: textOf('SourceID'),
    })
  }
}

export function userOf(audit: XmlElement): string {
  const user = childOf(audit, 'UserRef')
  return user === null ? '' : attributeOf(user, 'UserOID')
}

export function timeOf(audit: XmlElement): string {
  const time = childOf(audit, 'DateTimeStamp')
  return time === null ? '' : deepText(time).trim()
}
