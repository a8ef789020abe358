import type { OdmVersion } from '#core/exchange/odm/namespaces.ts'
import type { JsonValue } from '#core/json.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { EMPTY_ITEM, itemContent, rowState } from '#core/sync/entryChange.ts'
import { isEmptyValue } from '#core/sync/emptyValue.ts'
import { entryStatus } from '#core/sync/entryMark.ts'

import type { FileVersions } from './fileVersions.ts'
import type { HeldItem } from './heldEntry.ts'
import { HeldEntry } from './heldEntry.ts'
import type { AuditFacts, FormNode, GroupNode, ItemNode, Transaction } from './nodes.ts'
import { placeQueries } from './placeQueries.ts'
import type { ClinicalNoteKind, ClinicalSubject, ClinicalTrailLine, TellNote } from '#core/exchange/clinical/subject.ts'
import type { EntryPlace } from './subjectTree.ts'
import { SubjectTree, itemOf, tableOid, unplacedComment } from './subjectTree.ts'

/**
 * What became of the data of a subject, line by line of the trail: every line about an entry is one element with its
 * audit record. What a deletion took away stands again where it is brought back, so that whoever follows the file from
 * its beginning holds what the system holds.
 */

/** The trail of a subject, in runs of one version each. A subject without any has one empty run. */
export function transactionsOf(
  subject: ClinicalSubject,
  versions: FileVersions,
  version: OdmVersion,
  tell: TellNote,
): readonly SubjectTree[] {
  const trail = new TrailWriter(subject, versions, version, tell)
  for (const line of subject.trail) trail.take(line)
  return trail.end()
}

/** What one line says of the data. */
interface Meaning {
  readonly transaction: Transaction
  readonly content: ItemContent
}

class TrailWriter {
  readonly #subject: ClinicalSubject
  readonly #versions: FileVersions
  readonly #version: OdmVersion
  readonly #tell: TellNote
  readonly #runs: SubjectTree[] = []
  readonly #held = new Map<string, HeldEntry>()
  readonly #parents: ReadonlyMap<string, string | null>
  /** The act whose lines stand together. */
  #act = ''

  constructor(subject: ClinicalSubject, versions: FileVersions, version: OdmVersion, tell: TellNote) {
    this.#subject = subject
    this.#versions = versions
    this.#version = version
    this.#tell = tell
    this.#parents = new Map(subject.pages.map((page) => [keyOf(page), page.parentEntryId]))
  }

  take(line: ClinicalTrailLine): void {
    const { place, pass, versionId } = line
    if (place === null) return this.#note('no-place', line)
    const entry: EntryPlace = { ...place, pass: pass === 2 ? 2 : 1, parentEntryId: null }
    const at = { ...entry, parentEntryId: this.#parents.get(keyOf(entry)) ?? null }
    const field = line.fieldVersionId ?? versionId
    if (versionId === null || field === null) return this.#note('no-version', line)
    switch (line.action) {
      case 'item.update':
      case 'item.calculate':
        return this.#item(line, at, field, changeOf(line))
      case 'item.migrate':
        if (line.former !== undefined) this.#moved(line, at, line.former)
        return this.#item(line, at, versionId, changeOf(line, line.former !== undefined))
      case 'item.retire':
        return line.reasonCode === 'migration'
          ? this.#item(line, at, field, { transaction: 'Remove', content: EMPTY_ITEM })
          : this.#item(line, at, field, null)
      case 'row.insert':
      case 'row.move':
      case 'row.delete':
      case 'row.restore':
        return this.#row(line, at, field)
      default:
        if (line.prop !== null) return this.#item(line, at, field, null)
        return this.#form(line, at, versionId)
    }
  }

  end(): readonly SubjectTree[] {
    const latest = [...this.#versions.byId.keys()].at(-1)
    this.#act = ''
    this.#runs.at(-1)?.beginAnew()
    placeQueries(this.#subject, (id) => this.#run(id), latest, { isTrail: true, tell: this.#tell })
    if (this.#runs.length === 0 && latest !== undefined) this.#run(latest)
    return this.#runs
  }

  /** @param meaning null for a line that changes nothing of the data */
  #item(line: ClinicalTrailLine, at: EntryPlace, versionId: string, meaning: Meaning | null): void {
    const { table, rid, prop } = line
    const found = this.#open(line, at, versionId)
    if (found === null || prop === null) return
    const { tree, page } = found
    const content = meaning?.transaction === 'Remove' ? EMPTY_ITEM : (meaning?.content ?? EMPTY_ITEM)
    const item = itemOf(page, { table, code: prop }, content, this.#version)
    if (meaning !== null) this.#heldOf(at).put({ table, rid, code: prop }, line.redacted ? EMPTY_ITEM : content)
    if (item === null) {
      if (meaning === null || content === EMPTY_ITEM) return this.#onForm(line, at, versionId, [])
      const comment = unplacedComment({ table, rid, code: prop }, content)
      this.#note('no-field', line)
      return this.#onForm(line, at, versionId, [{ kind: 'unplaced', code: null, comment }])
    }
    if (item.problem !== null) this.#note(item.problem, line)
    let form = found.form
    let group = tree.group(form, item.groupOid, rid)
    if (group.items.some(({ oid }) => oid === item.node.oid)) {
      form = this.#anew(line, at, versionId)?.form ?? form
      group = tree.group(form, item.groupOid, rid)
    }
    const transaction = meaning?.transaction ?? 'Context'
    const says = transaction === 'Insert' || transaction === 'Update'
    const node: ItemNode = {
      ...item.node,
      isNull: says && !line.redacted && item.node.isNull,
      transaction,
      audit: this.#audit(line),
    }
    if (line.redacted) node.annotations.push({ kind: 'redacted', code: null, comment: null })
    group.items.push(node)
  }

  /** A value that a release brought to another field leaves the one that it was in. */
  #moved(line: ClinicalTrailLine, at: EntryPlace, former: NonNullable<ClinicalTrailLine['former']>): void {
    const { versionId, table, prop } = former
    if (!this.#versions.byId.has(versionId)) return
    this.#item({ ...line, table, prop }, at, versionId, { transaction: 'Remove', content: EMPTY_ITEM })
  }

  #row(line: ClinicalTrailLine, at: EntryPlace, versionId: string): void {
    const { table, rid, action, newValue } = line
    let found = this.#open(line, at, versionId)
    if (found === null || table === null || rid === null) return
    const oid = tableOid(found.page, table)
    if (oid === null) return this.#onForm(line, at, versionId, [])
    if (found.tree.group(found.form, oid, rid).audit !== null) found = this.#anew(line, at, versionId) ?? found
    const group: GroupNode = found.tree.group(found.form, oid, rid)
    const state = rowState.safeParse(newValue)
    const held = this.#heldOf(at)
    group.audit = this.#audit(line)
    group.transaction = action === 'row.delete' ? 'Remove' : action === 'row.move' ? 'Update' : 'Insert'
    if (state.success && group.transaction !== 'Remove')
      group.annotations.push({ kind: 'rowOrder', code: null, comment: state.data.order })
    if (state.success) held.setRow(table, rid, state.data)
    if (action === 'row.restore')
      this.#again(
        line,
        found.tree,
        found.form,
        held.items().filter((item) => item.rid === rid),
      )
  }

  #form(line: ClinicalTrailLine, at: EntryPlace, versionId: string): void {
    const held = this.#heldOf(at)
    const status = entryStatus.safeParse(line.newValue)
    const annotations: FormNode['annotations'] =
      /^entry\.(status|submit|correct)$/.test(line.action) && status.success
        ? [{ kind: 'status', code: status.data, comment: null }]
        : []
    this.#onForm(line, at, versionId, annotations, FORM_ACTS.get(line.action) ?? 'Context')
    if (line.action === 'entry.empty') {
      const found = this.#open(line, at, versionId)
      if (found !== null) this.#again(line, found.tree, found.form, held.items(), 'Remove')
      held.empty()
    }
    if (line.action !== 'entry.restore') return
    const found = this.#open(line, at, versionId)
    if (found !== null) this.#again(line, found.tree, found.form, held.itemsThere(), 'Insert', held)
  }

  #onForm(
    line: ClinicalTrailLine,
    at: EntryPlace,
    versionId: string,
    annotations: FormNode['annotations'],
    transaction: Transaction = 'Context',
  ): void {
    let found = this.#open(line, at, versionId)
    if (found !== null && (found.form.audit !== null || found.form.groups.length > 0))
      found = this.#anew(line, at, versionId)
    if (found === null) return
    found.form.audit = this.#audit(line)
    found.form.transaction = transaction
    found.form.annotations.push(...annotations)
  }

  /** Items that were there before, once more. */
  #again(
    line: ClinicalTrailLine,
    tree: SubjectTree,
    form: FormNode,
    items: readonly HeldItem[],
    transaction: Transaction = 'Insert',
    rows: HeldEntry | null = null,
  ): void {
    const page = [...tree.version.pages.values()].find((one) => one.form.oid === form.oid)
    if (page === undefined) return
    for (const { table, rid, order } of rows?.rows() ?? []) {
      const oid = tableOid(page, table)
      if (oid === null) continue
      const group = tree.group(form, oid, rid)
      group.transaction = 'Insert'
      group.annotations.push({ kind: 'rowOrder', code: null, comment: order })
    }
    for (const { table, rid, code, content } of items) {
      const item = itemOf(page, { table, code }, transaction === 'Remove' ? EMPTY_ITEM : content, this.#version)
      if (item === null) continue
      const group = tree.group(form, item.groupOid, rid)
      const isNull = transaction === 'Insert' && item.node.isNull
      group.items.push({ ...item.node, isNull, transaction, audit: this.#audit(line) })
    }
  }

  /** The form of a line, in the act that it belongs to. */
  #open(line: ClinicalTrailLine, at: EntryPlace, versionId: string) {
    const act = `${line.seq} ${keyOf(at)}`
    const tree = this.#run(versionId)
    if (tree === null) {
      this.#note('no-version', line)
      return null
    }
    if (act !== this.#act) tree.beginAnew()
    this.#act = act
    const found = tree.form(at)
    if (found === null) this.#note(tree.version.pages.has(at.pageId) ? 'no-visit' : 'no-page', line)
    return found === null ? null : { tree, ...found }
  }

  #anew(line: ClinicalTrailLine, at: EntryPlace, versionId: string) {
    this.#act = ''
    return this.#open(line, at, versionId)
  }

  /** The run of a version: the one that is open, or a new one. */
  #run(versionId: string): SubjectTree | null {
    const last = this.#runs.at(-1)
    if (last?.version.id === versionId) return last
    const version = this.#versions.byId.get(versionId)
    if (version === undefined) return null
    const tree = new SubjectTree(version, { key: this.#subject.key, centerId: this.#subject.centerId }, true)
    if (this.#runs.length > 0) tree.node.transaction = 'Context'
    this.#runs.push(tree)
    return tree
  }

  #heldOf(at: EntryPlace): HeldEntry {
    const known = this.#held.get(keyOf(at))
    if (known !== undefined) return known
    const held = new HeldEntry()
    this.#held.set(keyOf(at), held)
    return held
  }

  #audit(line: ClinicalTrailLine): AuditFacts {
    const { seq, ord, action, opKey, occurredAt, receivedAt, userId, reasonCode, reasonText } = line
    const source = [`seq=${seq}`, `ord=${ord}`, `action=${action}`, ...(opKey === null ? [] : [`operation=${opKey}`])]
    const reason = [reasonCode, reasonText].filter((part) => part !== null && part !== '').join(': ')
    return {
      userId,
      centerId: this.#subject.centerId,
      at: receivedAt,
      reason: reason === '' ? null : reason,
      source: [...source, `occurred=${occurredAt}`].join(';'),
      isCalculated: action === 'item.calculate',
    }
  }

  #note(what: ClinicalNoteKind, { place, versionId, table, prop: field }: ClinicalTrailLine): void {
    const { folders, pages } = this.#versions.byId.get(versionId ?? '') ?? {}
    const folder = folders?.get(place?.folderId ?? '')?.code ?? ''
    const page = pages?.get(place?.pageId ?? '')?.code ?? ''
    this.#tell({ subject: this.#subject.key, folder, page, table, field, what })
  }
}

const FORM_ACTS: ReadonlyMap<string, Transaction> = new Map([
  ['entry.create', 'Insert'],
  ['entry.status', 'Update'],
  ['entry.submit', 'Update'],
  ['entry.correct', 'Update'],
  ['entry.delete', 'Remove'],
  ['entry.restore', 'Insert'],
])

/** What a change of an item did: old and new are what it held. */
function changeOf({ oldValue, newValue }: ClinicalTrailLine, isNew = false): Meaning {
  const [old, now] = [isNew ? EMPTY_ITEM : contentOf(oldValue), contentOf(newValue)]
  const transaction = isEmpty(now) ? 'Remove' : isEmpty(old) ? 'Insert' : 'Update'
  return { transaction, content: now }
}

function contentOf(value: JsonValue): ItemContent {
  const read = itemContent.safeParse(value)
  return read.success ? read.data : EMPTY_ITEM
}

function isEmpty({ value, missing }: ItemContent): boolean {
  return isEmptyValue(value) && missing === null
}

function keyOf({ folderId, folderRepeat, pageId, pageRepeat, pass }: Omit<EntryPlace, 'parentEntryId'>): string {
  return [folderId, folderRepeat, pageId, pageRepeat, pass].join(' ')
}
